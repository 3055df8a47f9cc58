import { text } from '../text/text';

/** In place of what the session may not read. */
export function Forbidden({ what, permission }: { what: string; permission: string }) {
  return (
    <div className="note">
      <span>
        {text.forbidden.read(what)} <code>{permission}</code>
      </span>
    </div>
  );
}
