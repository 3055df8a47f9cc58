import type { TemplateCheck } from '@carillon/client';
import { useMutation } from '@tanstack/react-query';
import { CopyCurl } from '../../components/curl';
import { Problem } from '../../components/problem';
import { text } from '../../text/text';
import { checkSettings, pathOf } from './calls';
import type { ChannelPlace } from './place';

/** Tries the saved settings at the provider without a message, and shows its whole answer. */
export function SettingsCheck({ place: { org, prj, slug }, isCharged }: { place: ChannelPlace; isCharged: boolean }) {
  const check = useMutation({ mutationFn: () => checkSettings(org, prj, slug) });
  const words = text.channel.settingsCheck;
  return (
    <section className="card stack" aria-label={words.title}>
      <h2>{words.title}</h2>
      <p className="soft">{isCharged ? `${words.hint} ${words.charged}` : words.hint}</p>
      <div className="row">
        <button className="button" disabled={check.isPending} onClick={() => check.mutate()}>
          {check.isPending ? words.pending : words.check}
        </button>
        <CopyCurl call={{ method: 'POST', path: `${pathOf(org, prj, slug)}check/` }} />
      </div>
      <div role="status">
        {check.data && (
          <div className={check.data.ok && !hasWrong(check.data.templates) ? 'note good' : 'note bad'}>
            <strong>{check.data.fault === null ? words.ok : words.faults[check.data.fault]}</strong>
            <pre className="test-answer" tabIndex={0}>
              {check.data.answer || text.channel.test.silent}
            </pre>
            {check.data.templates.length > 0 && <TemplateChecks templates={check.data.templates} />}
            <span className="soft">{text.channel.test.took(check.data.duration_ms)}</span>
          </div>
        )}
      </div>
      {check.error && <Problem error={check.error} />}
    </section>
  );
}

const hasWrong = (templates: readonly TemplateCheck[]) => templates.some(({ state }) => state === 'wrong');

/** The templates of the provider that notifications send: those with a problem by name. */
function TemplateChecks({ templates }: { templates: readonly TemplateCheck[] }) {
  const words = text.channel.settingsCheck;
  const problems = templates.filter(({ problem }) => problem !== null);
  return (
    <>
      <span>{words.templates(templates.length - problems.length, templates.length)}</span>
      <ul>
        {problems.map(({ event, notification, problem }) => (
          <li key={`${event} ${notification}`}>{words.templateProblem(event, notification, problem ?? '')}</li>
        ))}
      </ul>
    </>
  );
}
