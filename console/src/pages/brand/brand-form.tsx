import type { OrganizationSettings } from '@carillon/client';
import { useRef, useState } from 'react';
import type { FormEvent } from 'react';
import { useAuthors } from '../../api/authors';
import { carillon } from '../../api/carillon';
import { seenOf, useEdit } from '../../api/edit';
import { useCan } from '../../api/session';
import { CopyCurl } from '../../components/curl';
import { Problem } from '../../components/problem';
import { Field } from '../../form/field';
import { LeaveForm } from '../../form/leave-form';
import { text } from '../../text/text';
import { BrandPreview } from './brand-preview';
import { ColorField } from './color-field';
import { changesOf, draftOf } from './draft';
import type { BrandDraft } from './draft';
import { LinksField } from './links-field';
import { LogoField } from './logo-field';
import { logoAddress } from './logo-address';
import { TextsField } from './texts-field';

const SETTINGS = '/api/o/{org}/settings/';

interface Props {
  org: string;
  name: string;
  settings: OrganizationSettings;
}

export function BrandForm({ org, name, settings }: Props) {
  const mayWrite = useCan()('organization:write', 'organization');
  // Only what was typed: the rest follows what others save.
  const [typed, setTyped] = useState<Partial<BrandDraft>>({});
  const draft = { ...draftOf(settings), ...typed };
  const body = changesOf(draft, settings);
  const isChanged = Object.keys(body).length > 0;
  // As it was when one began to type.
  const seen = useRef(seenOf(settings));
  if (Object.keys(typed).length === 0) seen.current = seenOf(settings);
  const path = { org };
  const write = useEdit({
    seen: () => seen.current,
    read: () => carillon.get(SETTINGS, { path }),
    fields: () => body,
    // A new logo is sent in another form than the stored one has.
    shape: { isDeep: ([field]) => field === 'page_texts' },
    write: (_: void, headers, changed) => carillon.patch(SETTINGS, { path, headers, body: changed }),
    authors: useAuthors(org, 'organization', org),
    reads: [SETTINGS],
    onDone: () => setTyped({}),
    onReload: () => setTyped({}),
  });
  const change = (next: Partial<BrandDraft>) => setTyped((before) => ({ ...before, ...next }));
  // What is typed while it is saved would be lost.
  const disabled = !mayWrite || write.isPending;
  const logo = draft.logo === undefined ? logoAddress(settings.logo) : draft.logo;
  const shared = { disabled, error: write.error, onChange: change };
  function submit(event: FormEvent) {
    event.preventDefault();
    write.mutate();
  }
  return (
    <div className="columns">
      <form className="card form" onSubmit={submit} aria-label={text.brand.form}>
        <Field label={text.brand.name} hint={text.brand.nameHint}>
          <input className="input" value={name} readOnly />
        </Field>
        <LogoField {...{ logo, name }} {...shared} />
        <ColorField color={draft.color} {...shared} />
        <Field label={text.brand.address} hint={text.brand.addressHint} error={write.error} name="address">
          <input
            className="input"
            value={draft.address}
            maxLength={300}
            disabled={disabled}
            onChange={(event) => change({ address: event.target.value })}
          />
        </Field>
        <LinksField links={draft.links} {...shared} />
        <TextsField texts={draft.texts} {...shared} />
        {write.error && <Problem error={write.error} />}
        <LeaveForm isDirty={isChanged} />
        {mayWrite && (
          <div className="row">
            <button className="button primary" disabled={!isChanged || write.isPending}>
              {text.brand.save}
            </button>
            <span className="soft" role="status">
              {write.isSuccess && !isChanged ? text.brand.saved : isChanged ? text.brand.unsaved : ''}
            </span>
            {isChanged && (
              <CopyCurl label={text.brand.curl} call={{ method: 'PATCH', path: `/api/o/${org}/settings/`, body }} />
            )}
          </div>
        )}
      </form>
      <BrandPreview {...{ name, logo, draft }} />
    </div>
  );
}
