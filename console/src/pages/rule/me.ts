import { useState } from 'react';

const KEY = 'carillon-me';

/** Who "only me" is: a key knows no user, so one says it once. */
export function useMe() {
  const [me, setMe] = useState(() => sessionStorage.getItem(KEY) ?? '');
  return {
    me,
    remember(username: string) {
      sessionStorage.setItem(KEY, username);
      setMe(username);
    },
  };
}
