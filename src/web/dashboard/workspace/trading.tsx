import type { JSX } from 'preact';
import { permits } from '../../../ops/scopes.ts';
import type { LiveRestriction } from '../../../read-model/live/message.ts';
import { post } from '../../adapters/commands.ts';
import type { Session } from '../../adapters/session.ts';
import { useSaid } from '../use-said.ts';
import { restrictionInWords } from '../words.ts';

/** What a person may let trade less: an event by its written key, or a selection by its id. */
export type Target = { readonly event: string } | { readonly selection: string };

type State = 'active' | 'reducing' | 'halted';

/**
 * What is wrong with the last wish, and a function that sends one. What reduces is sent until it is answered. What it did, the state tells that the
 * page shows next. `about` names the state that it speaks of.
 */
export function useTradingState(
  session: Session,
  atMs: number,
  about: string,
): readonly [said: string, set: (target: Target, state: State) => void] {
  const said = useSaid(atMs, about);
  const set = (target: Target, state: State): void => {
    said.wait('sent …');
    const body = { ...target, state, reason: 'pressed on the dashboard', by: 'dashboard' };
    const patience = state === 'active' ? undefined : {};
    void post(session, '/state', body, patience).then((answer) =>
      said.answer(answer.done ? '' : `FAILED: ${answer.why}`),
    );
  };
  return [said.text, set];
}

/** The state of a part of the account. */
export const aboutOf = (name: string, restriction: LiveRestriction | null): string =>
  `${name} ${restriction?.state ?? 'active'}`;

interface TradingProps {
  readonly name: string;
  readonly target: Target;
  readonly restriction: LiveRestriction | null;
  readonly session: Session;
  readonly atMs: number;
}

/** Stops an event, or lets it only reduce; and allows it again, which needs `control`. */
export function Trading({ name, target, restriction, session, atMs }: TradingProps): JSX.Element | null {
  const [said, set] = useTradingState(session, atMs, aboutOf(name, restriction));
  if (!permits(session.scope, 'reduce')) return null;
  const is = restriction?.state ?? 'active';
  return (
    <>
      {is === 'halted' ? null : (
        <button
          type="button"
          class="quiet-button"
          aria-label={`stop ${name}`}
          title="Closes its orders, and places none until it is allowed again"
          onClick={() => set(target, 'halted')}
        >
          stop
        </button>
      )}
      {is !== 'active' ? null : (
        <button
          type="button"
          class="quiet-button"
          aria-label={`reduce only: ${name}`}
          title="Leaves only orders that make the worst case better"
          onClick={() => set(target, 'reducing')}
        >
          reduce only
        </button>
      )}
      {restriction === null ? null : (
        <Allow name={name} session={session} onAllow={() => set(target, 'active')} />
      )}
      <span role="status">{said}</span>
    </>
  );
}

interface AllowProps {
  readonly name: string;
  readonly session: Session;
  readonly onAllow: () => void;
}

/** Lets a part trade again; where this link may not, it says who may. */
const Allow = ({ name, session, onAllow }: AllowProps): JSX.Element =>
  permits(session.scope, 'control') ? (
    <button type="button" class="quiet-button" aria-label={`allow again: ${name}`} onClick={onAllow}>
      allow again
    </button>
  ) : (
    <span class="quiet">a link with control allows it again</span>
  );

/** Why a selection trades less than the account, and what ends that. Nothing while it does not. */
export function Restricted(props: TradingProps): JSX.Element | null {
  const { name, target, restriction, session, atMs } = props;
  const [said, set] = useTradingState(session, atMs, aboutOf(name, restriction));
  if (restriction === null) return null;
  return (
    <p class="restricted" title={restrictionInWords(restriction, atMs)}>
      <span class="clipped">{restrictionInWords(restriction, atMs)}</span>
      <Allow name={name} session={session} onAllow={() => set(target, 'active')} />
      <span role="status">{said}</span>
    </p>
  );
}
