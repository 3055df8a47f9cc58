import type { Category } from '@carillon/client';
import { useState } from 'react';
import { useAuthors } from '../../api/authors';
import { carillon } from '../../api/carillon';
import { seenOf, useEdit } from '../../api/edit';
import { Field } from '../../form/field';
import { FormDialog } from '../../form/form-dialog';
import { slugOf } from '../../form/slug';
import { ProjectField } from '../../form/project-field';
import { text } from '../../text/text';
import { FrequencyFields } from './frequency-fields';
import { ChannelDefaults } from './channel-defaults';

const CATEGORIES = '/api/o/{org}/p/{prj}/categories/';
const CATEGORY = `${CATEGORIES}{category}/` as const;

interface Props {
  org: string;
  /** Where it can be created, or where it is. */
  projects: string[];
  /** As it was read when the dialog was opened. None: a new one. */
  category?: Category;
  onClose: () => void;
}

export function CategoryDialog({ org, projects, category, onClose }: Props) {
  const [project, setProject] = useState(projects[0]!);
  const [name, setName] = useState(category?.name ?? '');
  const [ownSlug, setSlug] = useState<string | null>(null);
  const slug = ownSlug ?? slugOf(name);
  const [description, setDescription] = useState(category?.description ?? '');
  const [byDefault, setDefault] = useState<Category['default']>(category?.default ?? 'on');
  const [channels, setChannels] = useState(category?.channels ?? {});
  const [frequencies, setFrequencies] = useState(category?.frequencies ?? []);
  const [digestAt, setDigestAt] = useState(category?.digest_at ?? '09:00');
  const [seen] = useState(() => seenOf(category ?? {}));
  const path = { org, prj: project, category: category?.slug ?? '' };
  const differs = byDefault === 'required' ? {} : channels;
  const fields = { name, description, default: byDefault, channels: differs, frequencies, digest_at: digestAt };
  const save = useEdit({
    seen: () => seen,
    read: (): Promise<object> => carillon.get(CATEGORY, { path }),
    fields: () => fields,
    write: (_: void, headers, body) =>
      category
        ? carillon.patch(CATEGORY, { path, headers, body })
        : carillon.post(CATEGORIES, { path: { org, prj: project }, body: { ...fields, slug: slug.trim() } }),
    authors: useAuthors(org, 'category', `${project}/${path.category}`),
    reads: [CATEGORIES, CATEGORY],
    onDone: onClose,
    onReload: onClose,
  });
  return (
    <FormDialog
      title={category ? text.category.editTitle(category.name) : text.category.create}
      action={category ? text.confirm.save : text.category.create}
      onClose={onClose}
      onSubmit={() => save.mutate()}
      isPending={save.isPending}
      error={save.error}
    >
      {!category && <ProjectField org={org} projects={projects} project={project} onChange={setProject} />}
      <Field label={text.category.name} error={save.error} name="name">
        <input className="input" required autoFocus value={name} onChange={(event) => setName(event.target.value)} />
      </Field>
      {!category && (
        <Field label={text.category.slug} hint={text.category.slugHint} error={save.error} name="slug">
          <input
            className="input mono"
            required
            spellCheck={false}
            value={slug}
            onChange={(event) => setSlug(event.target.value)}
          />
        </Field>
      )}
      <Field
        label={text.category.description}
        hint={text.category.descriptionHint}
        error={save.error}
        name="description"
      >
        <input className="input" value={description} onChange={(event) => setDescription(event.target.value)} />
      </Field>
      <fieldset className="choices">
        <legend className="label">{text.category.default}</legend>
        {(['on', 'off', 'required'] as const).map((each) => (
          <label key={each} className="check">
            <input type="radio" name="default" checked={byDefault === each} onChange={() => setDefault(each)} />
            {text.category.defaultHints[each]}
          </label>
        ))}
      </fieldset>
      {byDefault !== 'required' && (
        <>
          <ChannelDefaults {...{ org, project, channels }} onChange={setChannels} />
          <FrequencyFields
            {...{ frequencies, digestAt, error: save.error }}
            onFrequencies={setFrequencies}
            onDigestAt={setDigestAt}
          />
        </>
      )}
    </FormDialog>
  );
}
