import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { odds, PAGE } from '../../../lib/formats.ts';
import { onExchange } from '../../../read-model/bet-terms.ts';
import { type Answer, ask } from '../../adapters/commands.ts';
import type { Session } from '../../adapters/session.ts';
import type { ExchangeTerms } from '../../../read-model/status.ts';

/** The daemon's own explanation of a selection's quotes. */
interface WhyBody {
  readonly wanted: readonly {
    readonly direction: string;
    readonly price: number;
    readonly stakeUsdt: number;
    readonly exchange?: ExchangeTerms;
    readonly reason?: string;
  }[];
  readonly verdicts: readonly {
    readonly stage: string;
    readonly direction: string | null;
    readonly code: string;
    readonly message: string;
  }[];
  readonly alarms: readonly { readonly guard: string; readonly why: string }[];
}

interface WhyProps {
  readonly selectionId: string;
  readonly session: Session;
}

/** What the strategy wants here, and what keeps it from standing. */
export function Why({ selectionId, session }: WhyProps): JSX.Element {
  const [answer, setAnswer] = useState<Answer | null>(null);
  useEffect(() => {
    let isCurrent = true;
    void ask(session, `/why?selection=${encodeURIComponent(selectionId)}`).then((given) => {
      if (isCurrent) setAnswer(given);
    });
    return () => {
      isCurrent = false;
    };
  }, [selectionId, session]);
  if (answer === null) return <p class="explanation">Asking …</p>;
  if (!answer.done) return <p class="explanation">{answer.why}</p>;
  const [why] = answer.body as readonly WhyBody[];
  if (why === undefined) return <p class="explanation">The daemon has nothing to say.</p>;
  return (
    <div class="explanation">
      <p class="quiet">The strategy places the orders here. A person stops, flattens and hedges.</p>
      <ul>
        {why.wanted.map(({ direction, price: at, stakeUsdt, exchange, reason }) => (
          <li>
            wants {PAGE.money(stakeUsdt)} {direction} at {odds(at)}
            {onExchange(exchange, PAGE)}
            {reason === undefined ? '' : `: ${reason}`}
          </li>
        ))}
        {why.verdicts.map(({ stage, direction, message }) => (
          <li>
            {stage}
            {direction === null ? '' : `, ${direction}`}: {message}
          </li>
        ))}
        {why.alarms.map(({ guard, why: reason }) => (
          <li>
            guard {guard}: {reason}
          </li>
        ))}
      </ul>
      {why.wanted.length === 0 && why.verdicts.length === 0 ? <p>The strategy wants nothing here.</p> : null}
    </div>
  );
}
