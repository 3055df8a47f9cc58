import type { MemberLink as Link, OrganizationMember } from '@carillon/client';
import { useEffect, useState } from 'react';
import { carillon } from '../../api/carillon';
import { useRead } from '../../api/read';
import { useWrite } from '../../api/write';
import { Problem } from '../../components/problem';
import { Time } from '../../components/time';
import { Dialog } from '../../form/dialog';
import { text } from '../../text/text';

interface Props {
  org: string;
  member: OrganizationMember;
  /** The member was added just now: the service has sent a mail if it can. */
  isNew: boolean;
  onClose: () => void;
}

/** A link that signs a member in: in a mail, or shown once to hand over. */
export function MemberLink({ org, member, isNew, onClose }: Props) {
  const { name, email } = member;
  const { data: mail, error } = useRead('/api/session/link/', {});
  const create = useWrite(() =>
    carillon.post('/api/o/{org}/members/{memberEmail}/link/', { path: { org, memberEmail: email } }),
  );
  const { mutate } = create;
  const mayMail = mail?.mailed;
  useEffect(() => {
    if (mayMail === false) mutate(undefined);
  }, [mayMail, mutate]);
  const problem = error ?? create.error;
  const mailedTo = create.data?.mailed_to ?? (isNew && mayMail ? email : null);
  return (
    <Dialog
      title={isNew && mayMail ? text.member.mailedTitle(name ?? email) : text.member.linkTitle(name ?? email)}
      open
      onClose={onClose}
    >
      {mailedTo ? (
        <p role="status">{text.member.mailed(mailedTo, mail!.minutes)}</p>
      ) : (
        <p>{mayMail ? text.member.mailHint : text.member.linkHint}</p>
      )}
      {mayMail === false && <p className="soft">{text.member.noMail}</p>}
      {problem && <Problem error={problem} />}
      {create.data?.url && <Shown link={create.data} url={create.data.url} />}
      {!problem && !create.data && !mayMail && <span className="skeleton" />}
      <div className="actions">
        {mayMail && !mailedTo && (
          <button className="button" disabled={create.isPending} onClick={() => mutate(undefined)}>
            {create.isPending ? text.confirm.pending : text.member.mail}
          </button>
        )}
        <button className="button primary" onClick={onClose}>
          {text.member.done}
        </button>
      </div>
    </Dialog>
  );
}

function Shown({ link, url }: { link: Link; url: string }) {
  const [copied, setCopied] = useState<string | null>(null);
  async function copy() {
    try {
      await navigator.clipboard.writeText(url);
      setCopied(text.key.copied);
    } catch {
      // Without https, browsers offer no clipboard.
      setCopied(text.member.copyByHand);
    }
  }
  return (
    <>
      <pre className="curl member-link" tabIndex={0}>
        {url}
      </pre>
      <p className="soft">
        {text.member.linkExpires} <Time at={link.expires_at} />
      </p>
      <div className="row">
        <button className="button" onClick={() => void copy()}>
          {text.key.copy}
        </button>
        <span className="soft" aria-live="polite">
          {copied}
        </span>
      </div>
    </>
  );
}
