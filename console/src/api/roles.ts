import type { Role } from '@carillon/client';
import { useRead } from './read';
import { useSession } from './session';

/** The roles that somebody may give: those with no permission beyond their own. Undefined: not read yet. */
export function useRoles(): Role[] | undefined {
  const own: readonly string[] = useSession()?.permissions ?? [];
  const { data } = useRead('/api/roles/', {}, { enabled: own.includes('organization:read') });
  return data?.filter(({ permissions }) => permissions.every((permission) => own.includes(permission)));
}
