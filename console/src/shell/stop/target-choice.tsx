import { useId } from 'react';
import type { ReactNode } from 'react';
import { useRead } from '../../api/read';
import { useCan, useSession } from '../../api/session';
import { useTree } from '../../api/tree';
import { Field } from '../../form/field';
import { text } from '../../text/text';
import { mayStop, valueOf } from './stop-target';
import type { StopTarget } from './stop-target';
import { TargetName } from './target-name';

interface Props {
  org: string;
  /** What fits the page. */
  offered: StopTarget[];
  /** The value of the chosen target; `other` and an empty text: none yet. */
  value: string;
  choose: (value: string) => void;
}

/** What fits the page as a few radio buttons, and everything else in a list. */
export function TargetChoice({ org, offered, value, choose }: Props) {
  const name = useId();
  const isOther = !offered.some((target) => valueOf(target) === value);
  return (
    <>
      {offered.length > 0 && (
        <fieldset className="targets">
          <legend className="label">{text.stop.target}</legend>
          {offered.map((target) => (
            <Radio
              key={valueOf(target)}
              name={name}
              label={<TargetName {...{ org, target }} />}
              value={valueOf(target)}
              chosen={value}
              choose={choose}
            />
          ))}
          <Radio name={name} label={text.stop.other} value="" chosen={isOther ? '' : value} choose={choose} />
        </fieldset>
      )}
      {isOther && <OtherTarget org={org} value={value} choose={choose} />}
    </>
  );
}

interface RadioProps {
  name: string;
  label: ReactNode;
  value: string;
  chosen: string;
  choose: (value: string) => void;
}

function Radio({ name, label, value, chosen, choose }: RadioProps) {
  return (
    <label className="check">
      <input type="radio" name={name} value={value} checked={chosen === value} onChange={() => choose(value)} />
      <span>{label}</span>
    </label>
  );
}

function OtherTarget({ org, value, choose }: Omit<Props, 'offered'>) {
  const can = useCan();
  const session = useSession();
  const { data: tree } = useTree(org);
  const { data: channels } = useRead(
    '/api/o/{org}/channel-health/',
    { path: { org } },
    { enabled: can('organization:read') },
  );
  const { names = {} } = tree ?? {};
  const ofChannels = Object.fromEntries(
    (channels ?? []).map(({ project, channel, name }) => [project ? `${project}/${channel}` : channel, name]),
  );
  /** With the names of what it belongs to, because many things are called alike. */
  function nameOf(kind: StopTarget['kind'], path: string): string {
    const slugs = path.split('/');
    const above = slugs.slice(0, -1).map((_, i) => names[slugs.slice(0, i + 1).join('/')] ?? slugs[i]);
    const own = (kind === 'channel' ? ofChannels[path] : names[path]) ?? slugs.at(-1);
    return [...above, own].join(' / ');
  }
  const all: [StopTarget['kind'], string[]][] = [
    ['channel', Object.keys(ofChannels)],
    ['event', tree?.events ?? []],
    ['application', tree?.applications ?? []],
    ['project', tree?.projects ?? []],
  ];
  return (
    <Field label={text.stop.target}>
      <select className="input" value={value} onChange={(event) => choose(event.target.value)}>
        <option value="">{text.stop.choose}</option>
        {all.map(([kind, paths]) => {
          const targets = paths.map((path) => ({ kind, path })).filter((target) => mayStop(target, can, session));
          if (targets.length === 0) return null;
          return (
            <optgroup key={kind} label={text.stop.groups[kind]}>
              {targets.map((target) => (
                <option key={target.path} value={valueOf(target)}>
                  {nameOf(kind, target.path)}
                </option>
              ))}
            </optgroup>
          );
        })}
      </select>
    </Field>
  );
}
