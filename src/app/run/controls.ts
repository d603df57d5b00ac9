import { TouchlineError } from '../../domain/errors.ts';
import { eventKey, type EventName } from '../../domain/events.ts';
import type { SelectionId } from '../../domain/ids.ts';
import { toMicros } from '../../domain/money.ts';
import { selectionName } from '../../domain/selection-name.ts';
import { selectionFrom } from '../../domain/selection.ts';
import type { AdminControls } from '../../ops/commands/controls.ts';
import { shownAdjustment } from '../../read-model/live/shown-by-hand.ts';
import { usdt } from '../../read-model/status.ts';
import {
  ACCOUNT,
  eventScope,
  type ExposureReport,
  type Scope,
  scopeName,
  scopeOfSelection,
  type TradingState,
} from '../../risk/index.ts';
import type { Composed } from '../compose.ts';
import type { Names } from '../names.ts';
import { exchangePricesOf } from '../read-model-feed.ts';
import { endsBefore, untilMsOf } from './endings.ts';
import { chosenOf, eventsNamed, selectionNamed } from './meaning.ts';
import { termsInUsdt, whyControl } from './why-control.ts';

/** The daemon's answers to operators, from its parts. */
export function controlsOf(
  composed: Composed,
): Omit<AdminControls, 'see' | 'hedge' | 'adjust' | 'hand' | 'settlePaper'> {
  const { core, parts } = composed;
  const { risk } = core;
  const openOrders = (): number | null => parts.orders.openOrders();
  return {
    kill(reason, by) {
      const earlier = risk.killed;
      core.apply({ kind: 'kill', why: reason, by });
      const made = earlier === null ? risk.killed : null;
      return {
        explain: (words, name) => {
          if (made !== null) core.apply({ kind: 'explain_kill', killed: made, why: words, by: name });
        },
        answer() {
          return {
            killed: risk.killed,
            openOrders: openOrders(),
            latchedIn: parts.riskInputs.kept.latchedIn,
          };
        },
      };
    },
    pause(reason, by) {
      core.apply({ kind: 'pause', by, why: reason });
      const { state, record } = risk.effectiveState(ACCOUNT);
      return { binding: state, by: record?.by, why: record?.why, openOrders: openOrders() };
    },
    close(reason) {
      const closing = openOrders();
      parts.orders.closeAll(reason);
      return { closing, quoting: risk.effectiveState(ACCOUNT).state };
    },
    resume(reason, by) {
      const inWords = namingScopes(composed);
      const { released, remaining, ...report } = parts.riskInputs.resume(reason, by);
      return {
        ...report,
        released: released.map(inWords),
        remaining: remaining.map(named(inWords)),
        killed: risk.killed,
        openOrders: openOrders(),
      };
    },
    ...stateControls(composed),
    why: (text) => whyControl(composed, text),
    risk: () => riskReport(composed),
    payoff: (key, home, away) => payoffOf(composed, key, home, away),
    ...moneyControls(composed),
  };
}

/** Sets trading states, and tells which of them would loosen. */
function stateControls(composed: Composed): Pick<AdminControls, 'setState' | 'loosens'> {
  const { core } = composed;
  const { risk } = core;
  return {
    setState({ state, event, selection, reason, ...ending }, by) {
      const scopes = scopesOf(composed, event, selection);
      const ends = scopes.map((scope) => untilMsOf(composed, ending, eventOf(scope)));
      scopes.forEach((scope, at) => {
        const untilMs = ends[at] ?? null;
        const end = untilMs === null ? {} : { untilMs };
        core.apply({ kind: 'state', scope, state, by, why: reason, ...end });
      });
      const bind = scopes.map((scope) => risk.effectiveState(scope));
      // Of several scopes, report one in which another state binds: the person must see that.
      const shown = bind.find((each) => each.state !== state) ?? bind[0];
      if (shown === undefined) return null;
      const { state: binding, record } = shown;
      return {
        scopes,
        of: nameOfScopes(composed, scopes),
        state,
        binding,
        by: record?.by,
        why: record?.why,
        killed: risk.killed,
      };
    },
    loosens({ state, event, selection, ...ending }) {
      return scopesOf(composed, event, selection).some((scope) => {
        const { state: inForce, record } = risk.effectiveState(scope);
        const isShorter = endsBefore(untilMsOf(composed, ending, eventOf(scope)), record?.untilMs ?? null);
        return allowsMore(state, inForce) || (inForce !== 'active' && isShorter);
      });
    },
  };
}

/** Exposure, limits beside their uses, and what stops trading, all of one instant. Amounts in USDT. */
const riskReport = (composed: Composed, { risk } = composed.core) => ({
  killed: risk.killed,
  latchedIn: composed.parts.riskInputs.kept.latchedIn,
  openOrders: composed.parts.orders.openOrders(),
  remaining: composed.parts.riskInputs.obstacles().map(named(namingScopes(composed))),
  states: risk.states,
  adjustments: composed.core.adjustments
    .records()
    .map((record) => ({ event: composed.names.event(record.event), ...shownAdjustment(record) })),
  alarms: risk.guards.active(),
  refusals: Object.fromEntries(risk.refusals()),
  blocked: Object.fromEntries(risk.reasons()),
  exposure: exposureOf(risk.exposure(), composed.names),
  limits: risk.limitUses(),
  markouts: composed.parts.core.ledger.markouts(),
  attribution: composed.parts.core.ledger.attribution(),
});

/** Replaces the ids of events and selections whose states a text names. */
function namingScopes({ core: { risk }, names }: Pick<Composed, 'core' | 'names'>): (text: string) => string {
  const known = risk.states.map(({ scope }) => [scopeName(scope), nameOfScope(scope, names)] as const);
  return (text) => {
    const found = known.find(([id]) => text.startsWith(`${id} `));
    return found === undefined ? text : found[1] + text.slice(found[0].length);
  };
}

const named =
  (inWords: (text: string) => string) =>
  <T extends { readonly what: string }>(obstacle: T): T => ({ ...obstacle, what: inWords(obstacle.what) });

function nameOfScope(scope: Scope, names: Names): string {
  if (scope.kind === 'event') return `event ${names.event(scope)}`;
  return scope.kind === 'selection' ? `selection ${names.whole(scope.selectionId)}` : scopeName(scope);
}

const nameOfScopes = ({ names }: Composed, scopes: readonly Scope[]): string =>
  [...new Set(scopes.map((scope) => nameOfScope(scope, names)))].join(', ');

/** Amounts in USDT. */
export function payoffOf({ parts, core: { risk } }: Composed, key: string, home: number, away: number) {
  const event = risk.heldEvents().find((held) => eventKey(held) === key);
  if (event === undefined) return null;
  const who = parts.core.market.event(event)?.event ?? { home: '', away: '', teams: [] };
  return risk.betsAtScore(event, home, away).map(({ selectionId, direction, paysMicros, ...bet }) => ({
    direction,
    ...termsInUsdt(bet, exchangePricesOf(parts)),
    selectionId,
    name: selectionName(selectionFrom(selectionId)?.outcome ?? selectionId, who),
    paysUsdt: usdt(paysMicros),
  }));
}

const moneyControls = ({
  history,
}: Composed): Pick<AdminControls, 'reconcile' | 'reconciliation' | 'deposit'> => ({
  reconcile: async () => (await history?.reconcile()) ?? NO_HISTORY,
  reconciliation: () => history?.report() ?? NO_HISTORY,
  deposit({ amountUsdt, note }, by) {
    if (history === null) throw new TouchlineError('unavailable', NO_HISTORY.why);
    history.deposit(toMicros(amountUsdt), note, by);
    return { amountUsdt, note };
  },
});

/** The answer of a daemon that keeps no history. */
const NO_HISTORY = { pending: false, why: 'this daemon keeps no history', last: null } as const;

/** From the strictest to the freest. */
const FREEDOM: readonly TradingState[] = ['halted', 'reducing', 'active'];

const allowsMore = (state: TradingState, than: TradingState): boolean =>
  FREEDOM.indexOf(state) > FREEDOM.indexOf(than);

const eventOf = (scope: Scope): EventName | null => ('eventId' in scope ? scope : null);

/** The account's scope unless an event or a selection is named. Empty if the daemon does not know the name. */
function scopesOf(composed: Composed, event?: string, selection?: string): readonly Scope[] {
  if (event !== undefined) return eventsNamed(composed, event).map(eventScope);
  return selection === undefined ? [ACCOUNT] : selectionScopes(composed, selection);
}

/** Empty if the daemon knows no such selection. Throws TouchlineError `ambiguous` if the name fits several. */
function selectionScopes(composed: Composed, text: string): readonly Scope[] {
  const {
    parts,
    core: { risk },
  } = composed;
  if (parts.core.market.selection(text as SelectionId) !== undefined)
    return [scopeOfSelection(text as SelectionId)];
  // A selection that left the market can still be freed.
  const withState = risk.states.flatMap(({ scope }) =>
    scope.kind === 'selection' ? [scope.selectionId] : [],
  );
  const found = selectionNamed(composed, text, [...new Set([...chosenOf(composed), ...withState])]);
  return found === null ? [] : [scopeOfSelection(found)];
}

/** Amounts in USDT. */
function exposureOf({ account, scopes, events }: ExposureReport, names: Names) {
  const amounts = (scope: { readonly worstMicros: number; readonly grossMicros: number }) => ({
    worstCaseUsdt: usdt(scope.worstMicros),
    grossUsdt: usdt(scope.grossMicros),
  });
  return {
    account: { ...amounts(account), openOrders: account.openOrders, openUsdt: usdt(account.openMicros) },
    scopes: scopes.map((scope) => ({ kind: scope.kind, name: scope.name, ...amounts(scope) })),
    events: events.map((event) => ({
      sport: event.sport,
      eventId: event.eventId,
      name: names.event(event),
      ...amounts(event),
      worstScore: event.worstScore,
      openOrders: event.openOrders,
      offGrid: event.offGrid,
    })),
  };
}
