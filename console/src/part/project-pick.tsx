import { text } from '../text/text';

interface Props {
  projects: string[] | undefined;
  project: string | undefined;
  onPick: (project: string) => void;
}

/** Which project a page shows. There is nothing to pick from one. */
export function ProjectPick({ projects, project, onPick }: Props) {
  if (!projects || projects.length < 2) return null;
  return (
    <select
      className="input"
      aria-label={text.projectPick.label}
      value={project}
      onChange={(event) => onPick(event.target.value)}
    >
      {projects.map((slug) => (
        <option key={slug} value={slug}>
          {text.projectPick.project(slug)}
        </option>
      ))}
    </select>
  );
}
