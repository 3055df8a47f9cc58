import { ProblemError } from '@carillon/client';
import type { DraftNotification } from '@carillon/client';
import { useMutation } from '@tanstack/react-query';
import { Link, getRouteApi } from '@tanstack/react-router';
import { useMemo, useRef, useState } from 'react';
import { carillon } from '../../api/carillon';
import { useRead } from '../../api/read';
import { useCan } from '../../api/session';
import { Badge } from '../../components/badge';
import { CopyCurl } from '../../components/curl';
import { Problem } from '../../components/problem';
import { useEventNames } from '../../api/names';
import { text } from '../../text/text';
import { useChannels } from '../channel/use-channels';
import { pathOf } from '../event/place';
import type { EventPlace } from '../event/place';
import { useTakesRecipients } from '../event/use-takes-recipients';
import type { Saved } from './draft/content';
import { useDraft } from './draft/draft';
import { DraftNote } from './draft/draft-note';
import { draftNames } from './draft-names';
import { useDraftCheck } from './use-draft-check';
import { Faulty } from './faulty';
import type { FormatsLeft } from './format';
import { useMe } from './me';
import { Panel } from './panel';
import { SENDER_PARTS, TEMPLATE_PARTS, bodyOf, isNewRule } from './parts';
import type { RuleContent, RuleTemplate } from './parts';
import { Preview } from './preview/preview';
import { SampleChoice } from './preview/sample-choice';
import { previewBody, usePreview } from './preview/use-preview';
import { useSample } from './preview/use-sample';
import { Publish } from './publish';
import { RemoveRule } from './remove-rule';
import { RuleForm } from './rule-form';
import { SendToMe } from './send-to-me';
import { Simulation } from './simulate/simulation';
import { TemplateForm } from './template-form';
import { TemplateLanguages, faultsOf, translationOf, withTranslation, withoutTranslation } from './template-languages';
import { TemplateTabs } from './template-tabs';
import { useMessageKeys } from './use-message-keys';
import { usePartials } from './use-partials';
import { unknownNames, variablesOf, withDrafted } from './variables';

const route = getRouteApi('/o/$org/events/$prj/$app/$evt');
const SIMULATE = '/api/o/{org}/p/{prj}/a/{app}/e/{evt}/simulate/';
const SCHEMA = '/api/o/{org}/p/{prj}/a/{app}/e/{evt}/schema/';
const ACTION_PARTS = [0, 1].flatMap((i) => [`actions[${i}].label`, `actions[${i}].url`]);
const FAULTY_FIELD = '.workbench [aria-invalid="true"], .workbench [data-invalid]';
const SHOWN_PARTS = [...SENDER_PARTS, ...TEMPLATE_PARTS, 'url', 'image', 'data', 'template', ...ACTION_PARTS];

interface Props {
  place: EventPlace;
  /** `new`, `new-2`: it does not exist yet. */
  id: string;
  /** What is published. */
  saved: RuleContent;
  /** The draft that the page begins with. */
  opened: Saved | null;
  /** A rule without anything in it. */
  empty: RuleContent;
}

/** The editor and the preview side by side, and the steps to a change that surprises nobody. */
export function Workbench({ place, id, saved, opened, empty }: Props) {
  const can = useCan();
  const { channel: chosen, part } = route.useSearch();
  const navigate = route.useNavigate();
  const draft = useDraft({ place, id, saved, opened, empty });
  const isNew = isNewRule(id);
  const { me, remember } = useMe();
  const names = useEventNames(place.org, { project: place.prj, application: place.app, event: place.evt });
  const drafted = useMemo(() => draftNames(draft.rule), [draft.rule]);
  const sample = useSample(place, me, drafted);
  const channels = useChannels(place.org, place.prj);
  const types = useRead('/api/dispatchers/', {}).data;
  const schema = useRead(SCHEMA, { path: { ...place } }).data;
  const [panel, setPanel] = useState<'simulation' | 'send' | 'published' | null>(null);
  const [isPublishing, setPublishing] = useState(false);
  const [chosenLanguage, setLanguage] = useState<string | null>(null);
  const { templates } = draft.rule;
  const isWho = part === 'who' || templates.length === 0;
  const template = templates.find(({ channel }) => channel === chosen) ?? templates[0];
  const channel = channels?.find(({ slug }) => slug === template?.channel);
  const isPush = types?.find(({ type }) => type === channel?.type)?.push ?? false;
  const knowsApplication = isPush && can('organization:read');
  const application = useRead(
    '/api/o/{org}/p/{prj}/a/{app}/',
    { path: { ...place } },
    { enabled: knowsApplication },
  ).data;
  const language = chosenLanguage !== null && template?.translations?.[chosenLanguage] ? chosenLanguage : null;
  const leftFormats = useRef(new Map<string, FormatsLeft>());
  /** Those of one version: what is published or discarded does not come back. */
  function leftOf(language: string | null): FormatsLeft {
    const form = JSON.stringify([draft.etag, template?.channel, language]);
    const left = leftFormats.current.get(form) ?? {};
    leftFormats.current.set(form, left);
    return left;
  }
  const { context } = sample;
  const shownLanguage = sample.language ?? language;
  const isEmpty = !template || (!template.template && TEMPLATE_PARTS.every((name) => !template[name]));
  const preview = usePreview(
    place,
    isEmpty ? undefined : context && previewBody(template, context, sample.user, shownLanguage, sample.earlier),
  );
  const answered = useRef<{ faults: Record<string, string[]>; unknown: string[] }>({ faults: {}, unknown: [] });
  const partials = usePartials(place.org, place.prj);
  const messages = useMessageKeys(place.org, place.prj);
  const variables = useMemo(() => variablesOf(schema, context), [schema, context]);
  // In the menus, also what other templates of these edits use.
  const offered = useMemo(() => withDrafted(variables, drafted), [variables, drafted]);
  const words = { variables: offered, partials, messages };
  // While the next answer is on its way, the marks of the last one stay: they must not flicker at each key.
  if (!preview.isFetching)
    answered.current = {
      faults: preview.error instanceof ProblemError ? preview.error.errors : {},
      unknown: preview.error ? [] : unknownNames(preview.data, variables),
    };
  const { faults, unknown } = answered.current;
  const edited = draft.isDirty ? editedRule(id, draft.base, draft.content) : undefined;
  // With edits, the event may need recipients for the first time, or no longer.
  const takesRecipients = useTakesRecipients(place, id) || draft.content.to === 'recipients';
  const someone = sample.user || me;
  const options = takesRecipients && someone ? { recipients: [someone] } : undefined;
  const simulate = useMutation({
    mutationFn: (notification: DraftNotification | undefined) =>
      carillon.post(SIMULATE, { path: { ...place }, body: { context, options, notification } }),
  });
  // Edits are simulated only for those who may publish them.
  const canSimulate = can('event:trigger') && (edited ? can('notification:write') : !isNew);
  // A notification that is only begun lacks much: it is checked once it has a name and a message.
  const isBegun = draft.rule.name.trim() !== '' && templates.length > 0;
  const checked = useDraftCheck({
    ...{ place, context, takesRecipients, name: draft.rule.name },
    edited: canSimulate && isBegun && draft.faulty.length === 0 ? edited : undefined,
  });
  const onEdit = (next: RuleTemplate) =>
    draft.edit({ templates: templates.map((one) => (one === template ? next : one)) });
  /** The first field that the service would refuse. */
  function showFaults() {
    const show = () => document.querySelector(FAULTY_FIELD)?.scrollIntoView({ block: 'center' });
    void navigate({ search: (search) => ({ ...search, part: 'who' }) }).then(() => requestAnimationFrame(show));
  }
  function openSimulation() {
    setPanel('simulation');
    if (draft.faulty.length === 0) simulate.mutate(edited);
    else simulate.reset();
  }
  return (
    <div className="page">
      <div>
        <p className="soft">
          <Link to="/o/$org/events/$prj/$app/$evt" params={{ ...place }} search={{}}>
            {names.place} / {names.event}
          </Link>
        </p>
        <div className="head">
          <div className="head-title">
            <h1>{draft.rule.name || text.event.newRule}</h1>
            {draft.isDirty && <Badge tone="accent">{text.rule.unsaved}</Badge>}
            {!draft.rule.enabled && <Badge tone="warn">{text.event.off}</Badge>}
          </div>
          {!isNew && <CopyCurl call={{ path: `${pathOf(place)}n/${id}/` }} />}
          {canSimulate && (
            <button className="button" disabled={!context || simulate.isPending} onClick={openSimulation}>
              {text.rule.simulate}
            </button>
          )}
          {can('event:trigger') && (!isNew || templates.length > 0) && (
            <button className="button" disabled={!context} onClick={() => setPanel('send')}>
              {text.rule.sendToMe}
            </button>
          )}
          {can('notification:write') && (
            <button
              className="button primary"
              disabled={!draft.isDirty}
              title={draft.isDirty ? undefined : text.rule.publish.unchanged}
              onClick={() => setPublishing(true)}
            >
              {text.rule.publish.open}
            </button>
          )}
        </div>
      </div>
      <DraftNote {...{ place, draft }} />
      {draft.isOutdated && <p className="note warn">{text.rule.publish.outdated}</p>}
      {panel === 'published' && !draft.isDirty && (
        <p className="note good" role="status">
          {text.rule.publish.done}
        </p>
      )}
      {panel === 'simulation' && (
        <Panel title={text.rule.simulation.title} onClose={() => setPanel(null)} isBusy={simulate.isPending}>
          <Faulty draft={draft} />
          {simulate.error && <Problem error={simulate.error} again={openSimulation} />}
          {simulate.data && (
            <Simulation
              place={place}
              result={simulate.data}
              name={simulate.variables?.name?.trim() ?? saved.name}
              isOfEdits={simulate.variables !== undefined}
              isStale={JSON.stringify(simulate.variables) !== JSON.stringify(edited)}
            />
          )}
        </Panel>
      )}
      {panel === 'send' && context && (
        <Panel title={text.rule.sendToMe} onClose={() => setPanel(null)}>
          <SendToMe
            {...{ place, context, template, channel, me, remember }}
            isDirty={draft.isDirty}
            isNew={isNew}
            withheld={checked.withheld}
            language={shownLanguage}
            occurrence={sample.earlier}
          />
        </Panel>
      )}
      <TemplateTabs
        {...{ place, draft, channels }}
        shown={isWho ? null : (template?.channel ?? null)}
        error={checked.error}
      />
      <div className="workbench">
        <div className="card">
          {isWho || !template ? (
            <div className="stack">
              <RuleForm {...{ place, draft, context, checked }} />
              {!isNew && can('notification:write') && (
                <RemoveRule place={place} id={id} saved={saved} onRemoved={() => draft.saver.forget()} />
              )}
            </div>
          ) : (
            <div className="stack">
              <TemplateLanguages
                {...{ template, language, onEdit }}
                saved={saved.templates.find(({ channel }) => channel === template.channel)}
                gaps={saved.translation_gaps ?? []}
                onChoose={(next) => {
                  setLanguage(next);
                  // The preview follows.
                  sample.setLocale('');
                }}
              />
              {language === null ? (
                <TemplateForm
                  key={template.channel}
                  {...{ place, template, words, faults, unknown, onEdit }}
                  left={leftOf(null)}
                  type={channel?.type}
                  onRemove={() => draft.edit({ templates: templates.filter((one) => one !== template) })}
                />
              ) : (
                <TemplateForm
                  key={`${template.channel} ${language}`}
                  isTranslation
                  place={place}
                  template={translationOf(template, language)}
                  words={words}
                  unknown={unknown}
                  faults={faultsOf(faults, language)}
                  left={leftOf(language)}
                  type={channel?.type}
                  onEdit={(edited) => onEdit(withTranslation(template, language, edited))}
                  onRemove={() => onEdit(withoutTranslation(template, language))}
                />
              )}
            </div>
          )}
        </div>
        {template && (
          <section className="card stack preview" aria-label={text.rule.preview.title}>
            <h2>{text.rule.preview.of(channel?.name ?? template.channel ?? '')}</h2>
            <SampleChoice
              {...{ place, sample }}
              isRoom={template.per === 'room'}
              languages={Object.keys(template.translations ?? {})}
            />
            <Preview
              isEmpty={isEmpty}
              data={preview.data}
              error={preview.error}
              isFetching={preview.isFetching}
              shownParts={SHOWN_PARTS}
              app={isPush ? (application?.name ?? place.app) : null}
            />
          </section>
        )}
      </div>
      {isPublishing && (
        <Publish
          {...{ place, id, draft }}
          unreached={checked.unreached}
          onClose={() => {
            setPublishing(false);
            if (checked.error) showFaults();
          }}
          onPublished={() => {
            setPublishing(false);
            setPanel('published');
          }}
        />
      )}
    </div>
  );
}

/** The edits as a simulation takes them. */
const editedRule = (id: string, base: RuleContent, content: RuleContent): DraftNotification =>
  isNewRule(id) ? bodyOf(null, content) : { id: Number(id), ...bodyOf(base, content) };
