import type { OrganizationMember } from '@carillon/client';
import { useEffect, useState } from 'react';
import { carillon } from '../../api/carillon';
import { useWrite } from '../../api/write';
import { Problem } from '../../components/problem';
import { Time } from '../../components/time';
import { Dialog } from '../../form/dialog';
import { text } from '../../text/text';

/** A link that signs a member in, to hand over. It is shown once; another one takes its place. */
export function MemberLink({ org, member, onClose }: { org: string; member: OrganizationMember; onClose: () => void }) {
  const { name, email } = member;
  const [copied, setCopied] = useState<string | null>(null);
  const create = useWrite(() =>
    carillon.post('/api/o/{org}/members/{memberEmail}/link/', { path: { org, memberEmail: email } }),
  );
  const { mutate, data } = create;
  useEffect(() => mutate(undefined), [mutate]);
  async function copy(url: string) {
    try {
      await navigator.clipboard.writeText(url);
      setCopied(text.key.copied);
    } catch {
      // Without https, browsers offer no clipboard.
      setCopied(text.member.copyByHand);
    }
  }
  return (
    <Dialog title={text.member.linkTitle(name ?? email)} open onClose={onClose}>
      <p>{text.member.linkHint}</p>
      {create.error && <Problem error={create.error} />}
      {data ? (
        <>
          <pre className="curl member-link" tabIndex={0}>
            {data.url}
          </pre>
          <p className="soft">
            {text.member.linkExpires} <Time at={data.expires_at} />
          </p>
        </>
      ) : (
        !create.error && <span className="skeleton" />
      )}
      <div className="actions">
        <span className="soft" aria-live="polite">
          {copied}
        </span>
        <button className="button" disabled={!data} onClick={() => data && void copy(data.url)}>
          {text.key.copy}
        </button>
        <button className="button primary" onClick={onClose}>
          {text.member.done}
        </button>
      </div>
    </Dialog>
  );
}
