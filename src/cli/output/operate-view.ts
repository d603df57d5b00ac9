import { factor, minute, odds, TERMINAL } from '../../lib/formats.ts';
import type { RiskReport, ShownAdjustment, WhyAnswer } from '../../app/operate/operate.ts';
import { fullSelectionName } from '../../domain/selection-name.ts';
import type { LimitUse } from '../../read-model/status.ts';
import { plainText } from '../../lib/plain-text.ts';
import { renderTable, type Row } from './output.ts';
import { onExchange } from '../../read-model/bet-terms.ts';

/** One line for each selection and side: what the strategy wants there, and what stops it. `ids`: with the ids of selections. */
export function renderWhy(answers: readonly WhyAnswer[], ids = false): string[] {
  if (answers.length === 0) return ['no selection is chosen: touchline why SELECTION tells why not'];
  return renderTable(answers.flatMap((answer) => whyRows(answer, ids)));
}

/** A daemon of an earlier version tells no names. */
const nameOf = ({ event, name, selectionId }: WhyAnswer): string =>
  event === undefined || name === undefined ? selectionId : fullSelectionName(event, name);

const whyRows = (answer: WhyAnswer, ids: boolean): Row[] => {
  const { selectionId, wanted, reason, verdicts } = answer;
  return (['for', 'against'] as const).map((side): Row => {
    const quotes = wanted.filter(({ direction }) => direction === side);
    const stop = reason[side];
    const verdict = verdicts.find(
      ({ stage, direction, code }) =>
        (direction === null || direction === side) && `${stage}.${code}` === stop,
    );
    return {
      selection: nameOf(answer),
      ...(ids ? { selection_id: selectionId } : {}),
      side,
      wanted: quotes.map(wantedInWords).join(', ') || '-',
      stopped_by: stop ?? (quotes.length === 0 ? '-' : 'nothing'),
      because: verdict?.message ?? quotes[0]?.reason ?? '-',
    };
  });
};

const wantedInWords = ({ price, stakeUsdt, exchange }: WhyAnswer['wanted'][number]): string =>
  `${TERMINAL.money(stakeUsdt)} at ${odds(price)}${onExchange(exchange, TERMINAL)}`;

/** The report of risk for people: what stops trading, limits beside their uses, exposure, and what was stopped. */
export function renderRisk(report: RiskReport, ids = false): string[] {
  const {
    openOrders,
    remaining,
    adjustments = [],
    alarms,
    refusals,
    blocked,
    exposure,
    limits = [],
  } = report;
  const { account, scopes, events } = exposure;
  const row = (
    scope: string,
    { worstCaseUsdt, grossUsdt }: Pick<RiskReport['exposure']['account'], 'worstCaseUsdt' | 'grossUsdt'>,
  ): Row => ({
    exposure_of: scope,
    worst_case: TERMINAL.cents(worstCaseUsdt),
    gross: TERMINAL.cents(grossUsdt),
  });
  const rows = [
    row('account', account),
    ...scopes
      .filter(({ kind }) => kind !== 'account')
      .map((scope) => row(`${scope.kind} ${scope.name}`, scope)),
    ...events.map((event) => row(`event ${eventName(event, ids)}`, event)),
  ];
  return [
    ...(remaining.length === 0 ? ['nothing stops trading'] : []),
    ...remaining.map(({ what, release }) => plainText(`STOPPED: ${what}; to release: ${release}`)),
    ...adjustments.flatMap(({ event, ...adjustment }) => renderAdjustments(event, [adjustment])),
    ...alarms.map(({ guard, why }) => plainText(`guard ${guard}: ${why}`)),
    `open orders ${openOrders ?? 'not known'}, stake ${TERMINAL.cents(account.openUsdt)}`,
    '',
    ...renderTable(limits.map(limitRow)),
    '',
    ...renderTable(rows),
    ...counted('why a side is not quoted now', 'sides', blocked),
    ...counted('why risk held a quote back in this run', 'times', refusals),
  ];
}

const eventName = (
  { sport, eventId, name }: RiskReport['exposure']['events'][number],
  ids: boolean,
): string => {
  const id = `${sport}/${eventId}`;
  return name === undefined ? id : ids ? `${name} (${id})` : name;
};

/** How often each reason occurs, the most frequent first. */
function counted(title: string, unit: string, counts: Readonly<Record<string, number>>): string[] {
  const rows = Object.entries(counts)
    .sort(([, a], [, b]) => b - a)
    .map(([reason, count]): Row => ({ [title.replaceAll(' ', '_')]: reason, [unit]: count }));
  return rows.length === 0 ? [] : ['', ...renderTable(rows)];
}

const limitRow = ({ name, use, limit, unit }: LimitUse): Row => ({
  limit: name,
  use: unit === 'usdt' ? TERMINAL.cents(use) : use,
  of: unit === 'usdt' ? TERMINAL.cents(limit) : limit,
  percent: limit === 0 ? '-' : Math.round((100 * use) / limit),
});

const ADJUSTED: Readonly<Record<ShownAdjustment['what'], (amount: number) => string>> = {
  leave: () => 'left as it is',
  stake: (amount) => `stake x ${factor(amount)}`,
  widen: (amount) => `wider by ${amount} ticks`,
};

/** What persons want of an event: a line for each wish, with who, why and until when. */
export const renderAdjustments = (event: string, adjustments: readonly ShownAdjustment[]): string[] =>
  adjustments.length === 0
    ? [plainText(`${event}: quoted as its strategy wants`)]
    : adjustments.map(({ what, amount, by, why, untilMs }) =>
        plainText(`${event}: ${ADJUSTED[what](amount)} by ${by}: ${why}${untilInWords(untilMs)}`),
      );

const untilInWords = (untilMs: number | null): string =>
  untilMs === null ? '' : `, until ${minute(untilMs)} UTC`;
