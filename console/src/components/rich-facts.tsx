import type { Previewed } from '@carillon/client';
import { text } from '../text/text';

/** What a message has besides its text, as facts. Nothing of it is loaded or followed here. */
export function RichFacts(shown: Partial<Pick<Previewed, RichPart>>) {
  const { url, image, actions, data, template, left_out: leftOut } = shown;
  const { rich } = text.rule;
  const lines: [string, string | null | undefined][] = [
    [rich.url, url],
    [rich.image, image],
    ...(actions ?? []).map((action): [string, string] => [rich.action, `${action.label} → ${action.url}`]),
    [rich.data, data && JSON.stringify(data)],
    [text.rule.providerTemplate.title, template && JSON.stringify(template)],
    ...(leftOut ?? []).map((sentence): [string, string] => [rich.leftOut, sentence]),
  ];
  const given = lines.filter(([, value]) => value);
  if (given.length === 0) return null;
  return (
    <dl className="facts">
      {given.map(([name, value], i) => (
        <div key={i} className="fact">
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

type RichPart = 'url' | 'image' | 'actions' | 'data' | 'template' | 'left_out';
