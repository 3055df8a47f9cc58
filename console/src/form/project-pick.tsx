import { useProjectNames } from '../api/names';
import { text } from '../text/text';

interface Props {
  org: string;
  projects: string[] | undefined;
  /** The projects that the page shows. */
  shown: string[] | undefined;
  onPick: (project: string | undefined) => void;
}

/** Which projects a page shows. There is nothing to pick from one. */
export function ProjectPick({ org, projects, shown, onPick }: Props) {
  const nameOf = useProjectNames(org);
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
          {text.projectPick.project(nameOf(slug))}
        </option>
      ))}
    </select>
  );
}
