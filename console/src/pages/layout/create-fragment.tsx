import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Field } from '../../form/field';
import { FormDialog } from '../../form/form-dialog';
import { useProjectNames } from '../../api/names';
import { text } from '../../text/text';
import { linkTo } from './place';
import type { FragmentKind } from './place';

interface Props {
  org: string;
  projects: string[];
  /** The session reaches one project only. */
  isOfProject: boolean;
  onClose: () => void;
}

/** Which kind, whose, and its name. It is stored when it is published. */
export function CreateFragment({ org, projects, isOfProject, onClose }: Props) {
  const navigate = useNavigate();
  const nameOf = useProjectNames(org);
  const [kind, setKind] = useState<FragmentKind>('layout');
  const [prj, setProject] = useState(isOfProject ? (projects[0] ?? '') : '');
  const [slug, setSlug] = useState('');
  function submit() {
    onClose();
    void navigate({ ...linkTo({ org, prj: prj || null, kind, slug: slug.trim() }), search: {} });
  }
  return (
    <FormDialog
      title={text.layout.create}
      action={text.layout.createAction}
      onClose={onClose}
      onSubmit={submit}
      isPending={false}
      error={null}
    >
      <fieldset className="choices">
        <legend className="label">{text.layout.kind}</legend>
        {(['layout', 'partial'] as const).map((each) => (
          <label key={each} className="check">
            <input type="radio" name="kind" checked={kind === each} onChange={() => setKind(each)} />
            {text.layout.kindHints[each]}
          </label>
        ))}
      </fieldset>
      <Field label={text.channel.owner} hint={text.layout.ownerHint}>
        <select className="input" value={prj} onChange={(change) => setProject(change.target.value)}>
          {!isOfProject && <option value="">{text.channel.organization}</option>}
          {projects.map((project) => (
            <option key={project} value={project}>
              {text.channel.project(nameOf(project))}
            </option>
          ))}
        </select>
      </Field>
      <Field label={text.layout.slug} hint={text.layout.slugHint}>
        <input
          className="input mono"
          required
          autoFocus
          spellCheck={false}
          pattern="[a-z0-9][a-z0-9_\-]{0,99}"
          value={slug}
          onChange={(change) => setSlug(change.target.value)}
        />
      </Field>
    </FormDialog>
  );
}
