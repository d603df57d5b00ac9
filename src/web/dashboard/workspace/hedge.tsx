import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { odds, PAGE } from '../../../lib/formats.ts';
import { onExchange } from '../../../read-model/bet-terms.ts';
import {
  hasMissedBound,
  type HedgeOutcome,
  isAtWork,
  isBeyond,
  missedInWords,
  unmatchedInWords,
} from '../../../read-model/hedge-words.ts';
import type { LiveEvent } from '../../../read-model/live/message.ts';
import type { ExchangeTerms } from '../../../read-model/status.ts';
import { permits } from '../../../ops/scopes.ts';
import { browserTime } from '../../adapters/browser-time.ts';
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
  readonly boundUsdt?: number;
  readonly worstUsdt: { readonly before: number; readonly after: number; readonly ifHalf: number };
  /** The worst case now, with the orders that rest. */
  readonly withOpenUsdt: number;
  readonly tradingState: TradingState;
  readonly expectedLossUsdt: number | null;
  readonly commissionUsdt: number;
  readonly betslips: number;
  readonly seconds: number;
}

/** The part of a hedge's progress that the page shows. */
interface ProgressBody extends HedgeOutcome {
  readonly tradingState: TradingState;
}

type TradingState = 'active' | 'reducing' | 'halted';

interface HedgeProps {
  readonly event: LiveEvent;
  readonly session: Session;
  readonly atMs: number;
  /** What the hedge does, and what it asks for. */
  readonly label: string;
  /** What the button says, where that is less. */
  readonly text?: string;
  readonly goal: Readonly<Record<string, string>>;
  /** Told when it is asked for, and when nothing of it is shown any more. */
  readonly onShown?: (isShown: boolean) => void;
}

type Step =
  | { readonly kind: 'idle' }
  | { readonly kind: 'waiting'; readonly words: string }
  | { readonly kind: 'previewed'; readonly preview: PreviewBody }
  | { readonly kind: 'said'; readonly words: string; readonly sinceMs: number }
  | SentStep;

/** A hedge that was made, and the worst cases before it. */
interface SentStep {
  readonly kind: 'sent';
  readonly preview: PreviewBody;
  readonly progress: ProgressBody;
  readonly sinceMs: number;
}

/** A hedge at work is looked at again after this long. */
const LOOK_EVERY_MS = 1_000;

const IDLE: Step = { kind: 'idle' };

/** A hedge: the first press previews it, the second one makes it. A step is one of its question: another event or goal begins anew. */
export function Hedge(props: HedgeProps): JSX.Element | null {
  const { event, session, atMs, label, text = label, goal, onShown } = props;
  const question = new URLSearchParams({ event: writtenKey(event.key), ...goal }).toString();
  const [asked, setAsked] = useState({ question, step: IDLE });
  const step = asked.question === question && !isOver(asked.step, atMs) ? asked.step : IDLE;
  const now = useRef(atMs);
  now.current = atMs;
  const setStep = (next: Step): void => setAsked({ question, step: next });
  const isShown = step.kind !== 'idle';
  useEffect(() => onShown?.(isShown), [isShown]);
  useFollowing(session, step, (next) =>
    setAsked((current) => (current.step === step ? { question, step: next } : current)),
  );
  if (!permits(session.scope, 'reduce')) return null;
  const preview = (): void => {
    setStep({ kind: 'waiting', words: 'Asking …' });
    void ask(session, `/hedge?${question}`).then((answer) => setStep(previewIn(answer, now.current)));
  };
  const make = (made: PreviewBody): void => {
    setStep({ kind: 'waiting', words: 'sent …' });
    const body = { plan: made.plan, reason: 'pressed on the dashboard', by: 'dashboard' };
    void post(session, '/hedge', body).then((answer) => setStep(sentIn(answer, made, now.current)));
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

const sentIn = (answer: Answer, preview: PreviewBody, sinceMs: number): Step =>
  answer.done
    ? { kind: 'sent', preview, progress: answer.body as ProgressBody, sinceMs }
    : { kind: 'said', words: `FAILED: ${answer.why}`, sinceMs };

/** Asks what has become of a hedge until it is over. */
function useFollowing(session: Session, step: Step, setStep: (step: Step) => void): void {
  useEffect(() => {
    if (step.kind !== 'sent' || !isAtWork(step.progress)) return undefined;
    return browserTime.after(LOOK_EVERY_MS, () => {
      const path = `/hedge/progress?plan=${encodeURIComponent(step.preview.plan)}`;
      void ask(session, path).then((answer) =>
        setStep(answer.done ? { ...step, progress: answer.body as ProgressBody } : { ...step }),
      );
    });
  }, [step]);
}

/** Answers are no longer true for ever. */
const isOver = (step: Step, atMs: number): boolean => 'sinceMs' in step && atMs - step.sinceMs >= SAID_MS;

/** The words after a press. Of a hedge that was sent, the event tells what it has come to by now. */
function wordsOf(step: Exclude<Step, { readonly kind: 'idle' | 'previewed' }>, event: LiveEvent): string {
  if (step.kind === 'waiting') return step.words;
  if (step.kind === 'said') return timed(step.words, step.sinceMs);
  const { preview, progress, sinceMs } = step;
  const words = [sentInWords(progress), worstInWords(preview, event), ...endInWords(progress)];
  return timed([...words, ...quotingInWords(progress.tradingState)].join('; '), sinceMs);
}

function sentInWords(progress: ProgressBody): string {
  if (isAtWork(progress)) return 'the hedge was sent';
  return `the hedge was sent and ${progress.isOver ? 'is over' : 'rests'}`;
}

/** The worst case then and now: of the matched bets, as in the preview, and with open orders where these can make it worse. */
function worstInWords({ worstUsdt: { before }, withOpenUsdt }: PreviewBody, event: LiveEvent): string {
  const { worst, worstMatched } = event;
  const matched = `worst case of the matched bets ${PAGE.gain(before)} then, ${PAGE.gain(worstMatched)} now`;
  if (before === withOpenUsdt && worst === worstMatched) return matched;
  return `${matched}; with the orders that rest ${PAGE.gain(withOpenUsdt)} then, ${PAGE.gain(worst)} now`;
}

/** The bets and the bound that a hedge has missed, once it is followed no more. */
function endInWords(progress: ProgressBody): readonly string[] {
  if (isAtWork(progress)) return [];
  const missed = hasMissedBound(progress) ? [missedInWords(progress, PAGE)] : [];
  return [...unmatchedInWords(progress), ...missed];
}

/** A hedge leaves out what the quotes of the event may still add. */
const quotingInWords = (state: TradingState): readonly string[] =>
  state === 'active'
    ? ['quoting goes on, and its fills may take the worst case beyond: “reduce only” prevents that']
    : [];

interface PreviewProps {
  readonly preview: PreviewBody;
  readonly onMake: () => void;
  readonly onLeave: () => void;
}

function Preview({ preview, onMake, onLeave }: PreviewProps): JSX.Element {
  const { bets, worstUsdt, withOpenUsdt, expectedLossUsdt, commissionUsdt, betslips, seconds } = preview;
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
        {PAGE.gain(worstUsdt.ifHalf)} (of the matched bets
        {withOpenUsdt === worstUsdt.before
          ? ''
          : `; with the orders that rest ${PAGE.gain(withOpenUsdt)} now`}
        ); {loss}, commission {PAGE.money(commissionUsdt)} more at most; {betslips} betslips, {seconds} s
      </p>
      {isBeyond(worstUsdt.after, preview.boundUsdt) ? (
        <p>
          <b>the bound {PAGE.money(preview.boundUsdt ?? 0)} cannot be reached now</b>: this comes nearest to
          it
        </p>
      ) : null}
      {quotingInWords(preview.tradingState).map((words) => (
        <p>{words}</p>
      ))}
      <button type="button" onClick={onMake}>
        CONFIRM
      </button>{' '}
      <button type="button" onClick={onLeave}>
        no
      </button>
    </div>
  );
}
