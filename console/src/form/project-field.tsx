import { useProjectNames } from '../api/names';
import { text } from '../text/text';
import { Field } from './field';

interface Props {
  org: string;
  projects: string[];
  project: string;
  onChange: (project: string) => void;
}

/** In which project something is created. There is nothing to choose from one. */
export function ProjectField({ org, projects, project, onChange }: Props) {
  const nameOf = useProjectNames(org);
  if (projects.length < 2) return null;
  return (
    <Field label={text.projectPick.label}>
      <select className="input" value={project} onChange={(event) => onChange(event.target.value)}>
        {projects.map((slug) => (
          <option key={slug} value={slug}>
            {nameOf(slug)}
          </option>
        ))}
      </select>
    </Field>
  );
}
