import { text } from '../text/text';

/** In place of what the session may not read. */
export function MayNot({ what, permission }: { what: string; permission: string }) {
  return (
    <div className="note">
      <span>
        {text.mayNot.read(what)} <code>{permission}</code>
      </span>
    </div>
  );
}
