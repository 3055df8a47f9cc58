import { text } from '../text/text';

interface Props {
  projects: string[] | undefined;
  /** The projects that the page shows. */
  shown: string[] | undefined;
  onPick: (project: string | undefined) => void;
}

/** Which projects a page shows. There is nothing to pick from one. */
export function ProjectPick({ projects, shown, onPick }: Props) {
  if (!projects || projects.length < 2) return null;
  return (
    <select
      className="input"
      aria-label={text.projectPick.label}
      value={shown?.length === 1 ? shown[0] : ''}
      onChange={(event) => onPick(event.target.value || undefined)}
    >
      <option value="">{text.projectPick.every}</option>
      {projects.map((slug) => (
        <option key={slug} value={slug}>
          {text.projectPick.project(slug)}
        </option>
      ))}
    </select>
  );
}
