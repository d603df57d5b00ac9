import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { odds, PAGE } from '../../../lib/formats.ts';
import { onExchange } from '../../../read-model/bet-terms.ts';
import type { LiveEvent } from '../../../read-model/live/message.ts';
import type { ExchangeTerms } from '../../../read-model/status.ts';
import { permits } from '../../../ops/scopes.ts';
import { type Answer, ask, post } from '../../adapters/commands.ts';
import type { Session } from '../../adapters/session.ts';
import { writtenKey } from '../stream/keys.ts';
import { SAID_MS, timed } from '../use-said.ts';

/** The part of a preview that the page shows. */
interface PreviewBody {
  readonly plan: string;
  readonly bets: readonly {
    readonly name: string;
    readonly direction: string;
    readonly price: number;
    readonly stakeUsdt: number;
    readonly exchange?: ExchangeTerms;
  }[];
  readonly worstUsdt: { readonly before: number; readonly after: number; readonly ifHalf: number };
  readonly expectedLossUsdt: number | null;
  readonly commissionUsdt: number;
  readonly betslips: number;
  readonly seconds: number;
}

interface HedgeProps {
  readonly event: LiveEvent;
  readonly session: Session;
  readonly atMs: number;
  /** What the hedge does, and what it asks for. */
  readonly label: string;
  /** What the button says, where that is less. */
  readonly text?: string;
  readonly goal: Readonly<Record<string, string>>;
}

type Step =
  | { readonly kind: 'idle' }
  | { readonly kind: 'waiting'; readonly words: string }
  | { readonly kind: 'previewed'; readonly preview: PreviewBody }
  | { readonly kind: 'said'; readonly words: string; readonly sinceMs: number }
  | { readonly kind: 'sent'; readonly worstBefore: number; readonly sinceMs: number };

const IDLE: Step = { kind: 'idle' };

/** A hedge: the first press previews it, the second one makes it. A step is one of its question: another event or goal begins anew. */
export function Hedge({ event, session, atMs, label, text = label, goal }: HedgeProps): JSX.Element | null {
  const question = new URLSearchParams({ event: writtenKey(event.key), ...goal }).toString();
  const [asked, setAsked] = useState({ question, step: IDLE });
  const step = asked.question === question && !isOver(asked.step, atMs) ? asked.step : IDLE;
  const now = useRef(atMs);
  now.current = atMs;
  const setStep = (next: Step): void => setAsked({ question, step: next });
  if (!permits(session.scope, 'reduce')) return null;
  const preview = (): void => {
    setStep({ kind: 'waiting', words: 'Asking …' });
    void ask(session, `/hedge?${question}`).then((answer) => setStep(previewIn(answer, now.current)));
  };
  const make = ({ plan }: PreviewBody): void => {
    setStep({ kind: 'waiting', words: 'sent …' });
    const body = { plan, reason: 'pressed on the dashboard', by: 'dashboard' };
    const { worst } = event;
    void post(session, '/hedge', body).then((answer) => setStep(sentIn(answer, worst, now.current)));
  };
  return (
    <div class="hedge" role="group" aria-label={label}>
      <button
        type="button"
        class="quiet-button"
        aria-label={`${text} …${text === label ? '' : ` (${label})`}`}
        aria-expanded={step.kind !== 'idle'}
        onClick={step.kind === 'idle' ? preview : () => setStep(IDLE)}
      >
        {text} …
      </button>
      {step.kind === 'idle' || step.kind === 'previewed' ? null : (
        <p class="explanation" role="status">
          {wordsOf(step, event)}
        </p>
      )}
      {step.kind === 'previewed' ? (
        <Preview preview={step.preview} onMake={() => make(step.preview)} onLeave={() => setStep(IDLE)} />
      ) : null}
    </div>
  );
}

const previewIn = (answer: Answer, sinceMs: number): Step =>
  answer.done
    ? { kind: 'previewed', preview: answer.body as PreviewBody }
    : { kind: 'said', words: answer.why, sinceMs };

const sentIn = (answer: Answer, worstBefore: number, sinceMs: number): Step =>
  answer.done
    ? { kind: 'sent', worstBefore, sinceMs }
    : { kind: 'said', words: `FAILED: ${answer.why}`, sinceMs };

/** Answers are no longer true for ever. */
const isOver = (step: Step, atMs: number): boolean => 'sinceMs' in step && atMs - step.sinceMs >= SAID_MS;

/** What became of a press. Of a hedge that was sent, the event tells what it has done by now. */
function wordsOf(
  step: Exclude<Step, { readonly kind: 'idle' | 'previewed' }>,
  { worst }: Pick<LiveEvent, 'worst'>,
): string {
  if (step.kind === 'waiting') return step.words;
  if (step.kind === 'said') return timed(step.words, step.sinceMs);
  const { worstBefore, sinceMs } = step;
  return timed(
    `the hedge was sent: worst case ${PAGE.gain(worstBefore)} then, ${PAGE.gain(worst)} now`,
    sinceMs,
  );
}

interface PreviewProps {
  readonly preview: PreviewBody;
  readonly onMake: () => void;
  readonly onLeave: () => void;
}

function Preview({ preview, onMake, onLeave }: PreviewProps): JSX.Element {
  const { bets, worstUsdt, expectedLossUsdt, commissionUsdt, betslips, seconds } = preview;
  const loss = expectedLossUsdt === null ? 'cost not known' : `costs ${PAGE.money(expectedLossUsdt)}`;
  return (
    <div class="explanation">
      <ul>
        {bets.map((bet) => (
          <li>
            {PAGE.money(bet.stakeUsdt)} {bet.direction} {bet.name} at {odds(bet.price)}
            {onExchange(bet.exchange, PAGE)}
          </li>
        ))}
      </ul>
      <p>
        worst case {PAGE.gain(worstUsdt.before)}, then <b>{PAGE.gain(worstUsdt.after)}</b>, with half of it{' '}
        {PAGE.gain(worstUsdt.ifHalf)}; {loss}, commission {PAGE.money(commissionUsdt)} more at most;{' '}
        {betslips} betslips, {seconds} s
      </p>
      <button type="button" onClick={onMake}>
        CONFIRM
      </button>{' '}
      <button type="button" onClick={onLeave}>
        no
      </button>
    </div>
  );
}
