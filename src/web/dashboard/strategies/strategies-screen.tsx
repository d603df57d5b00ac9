import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { PAGE } from '../../../lib/formats.ts';
import type { StrategyParameters } from '../../../read-model/live/parameters.ts';
import { type Answer, ask } from '../../adapters/commands.ts';
import type { Session } from '../../adapters/session.ts';
import { permits } from '../../../ops/scopes.ts';
import { toneOf } from '../../components/figure.tsx';
import { type Shown, strategiesOf } from '../stream/view.ts';
import { ParameterForm } from './parameter-form.tsx';

interface StrategiesScreenProps {
  readonly shown: Shown;
  readonly session: Session;
}

interface Listed {
  readonly where: string;
  readonly strategies: readonly StrategyParameters[];
}

/** The strategies with their profit, their errors and their parameters, which a person may change. */
export function StrategiesScreen({ shown, session }: StrategiesScreenProps): JSX.Element {
  const [answer, setAnswer] = useState<Answer | null>(null);
  const load = (): void => void ask(session, '/parameters').then(setAnswer);
  useEffect(load, [session, shown.run.runId]);
  if (answer === null) return <p class="quiet">Asking …</p>;
  if (!answer.done) return <p class="warnings">{answer.why}</p>;
  const { where, strategies } = answer.body as Listed;
  const earned = strategiesOf(shown.view);
  return (
    <div class="strategies">
      <h1>Strategies</h1>
      <p class="quiet">
        A changed parameter is kept in {where}, over the configuration. A start with <code>--reset</code>{' '}
        drops it.
      </p>
      {strategies.map((strategy) => {
        const own = earned.find(({ name }) => name === strategy.name);
        return (
          <section key={strategy.name} aria-label={strategy.name}>
            <h2>
              {strategy.name} <span class="quiet">{strategy.description}</span>
            </h2>
            {own === undefined ? null : (
              <p>
                profit <b class={toneOf(own.profitLoss)}>{PAGE.gain(own.profitLoss)}</b>
                {errorsInWords(own.errors)}
              </p>
            )}
            <ParameterForm
              strategy={strategy}
              session={session}
              atMs={shown.atMs}
              mayChange={permits(session.scope, 'control')}
              onChanged={load}
            />
          </section>
        );
      })}
    </div>
  );
}

function errorsInWords(errors: Readonly<Record<string, number | undefined>>): string {
  const kinds = Object.entries(errors).filter(([, count]) => (count ?? 0) > 0);
  return kinds.length === 0
    ? ', no errors'
    : `, errors: ${kinds.map(([kind, count]) => `${kind} ${count}`).join(', ')}`;
}
