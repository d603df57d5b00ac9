import process from 'node:process';
import type { Command } from 'commander';
import { TERMINAL } from '../../../lib/formats.ts';
import { systemClock } from '../../../app/adapters/system-clock.ts';
import type { Config } from '../../../app/config/load.ts';
import type { ExchangeClient } from '../../../app/exchange/connect.ts';
import { describedEvents, eventIdsNamed } from '../../../app/exchange/event-names.ts';
import type { SportEvent } from '../../../domain/events.ts';
import { type BetType, eventId, heartbeatId, type Sport } from '../../../domain/ids.ts';
import { selectionName } from '../../../domain/selection-name.ts';
import { splitBetType } from '../../../domain/selection.ts';
import { parseText } from '../../input/arguments.ts';
import {
  exchangeCommand,
  type ExchangeOptions,
  IDS,
  report,
  type Report,
} from '../../input/exchange-command.ts';
import { checkCodes, instant, parseSport, usdt } from '../../input/values.ts';
import type { Row } from '../../output/output.ts';

/** `touchline exchange balance` */
export function balanceCommand(): Command {
  return exchangeCommand('balance', 'show the account’s balance').action((options: ExchangeOptions) =>
    report(options, async (exchange) => {
      const { balanceMicros, openStakeMicros, smartCreditMicros } = await exchange.account.balance();
      const row = {
        balance_usdt: usdt(balanceMicros),
        open_stake_usdt: usdt(openStakeMicros),
        smart_credit_usdt: usdt(smartCreditMicros),
      };
      return { rows: [row], json: row, none: '' };
    }),
  );
}

interface PositionOptions extends ExchangeOptions {
  readonly sport: Sport;
  readonly event: string;
  readonly ids?: boolean;
}

/** `touchline exchange position` */
export function positionCommand(): Command {
  return exchangeCommand('position', 'show what the account has matched on an event')
    .requiredOption('--sport <code>', 'the sport of the event', parseSport)
    .requiredOption('--event <name>', 'the event: its name, a unique part of it, or its id', parseText)
    .option('--ids', IDS)
    .action((options: PositionOptions) =>
      report(options, (exchange, config) => showPosition(exchange, options, config)),
    );
}

async function showPosition(
  exchange: ExchangeClient,
  { sport, event: text, ids }: PositionOptions,
  { exchange: { otherCodes } }: Config,
): Promise<Report> {
  checkCodes('--sport', [sport], otherCodes);
  const [event = eventId(text)] = await eventIdsNamed(exchange, [text], [sport]);
  const position = await exchange.orders.position({ sport, eventId: event });
  const described = (await describedEvents(exchange, [sport], [event])).get(event);
  const name = described?.eventName ?? event;
  const rows = [...position.totals].map(([betType, total]): Row => ({
    ...sideOf(betType, described, position.descriptions.get(betType)),
    bet_type: betType,
    price: total.gotPrice,
    stake_usdt: usdt(total.gotStakeMicros),
    unknown_price: total.unknownPrice,
    unknown_stake_usdt: usdt(total.unknownStakeMicros),
  }));
  const grid = position.payoffGridMicros?.map((row) => row.map(usdt)) ?? null;
  const json = { sport, event_id: event, event: name, totals: rows, payoff_grid_usdt: grid };
  const hasUnknown = [...position.totals.values()].some(({ unknownStakeMicros }) => unknownStakeMicros !== 0);
  const shown = rows.map(({ bet_type, side, unknown_price, unknown_stake_usdt, ...row }) => ({
    event: name,
    selection: row['selection'],
    market_side: side,
    average_price: row['price'],
    stake_usdt: row['stake_usdt'],
    ...(hasUnknown && { unknown_price, unknown_stake_usdt }),
    ...(ids === true && { bet_type }),
  }));
  const notes = [
    'The exchange adds backs and lays of a market up: these are stakes, and not what you win or lose.',
    ...payoffNotes(grid, described),
  ];
  return { rows: shown, json, none: `nothing matched on ${name}`, notes };
}

type Grid = readonly (readonly (number | null)[])[];

const RESULTS = [
  ['home', (home: number, away: number) => home > away],
  ['draw', (home: number, away: number) => home === away],
  ['away', (home: number, away: number) => home < away],
] as const;

/**
 * What the account wins or loses, by the result of the match; nothing where the exchange shows no profit by score. `grid`:
 * `[home][away]`, USDT.
 */
export function payoffNotes(
  grid: Grid | null,
  event: Pick<SportEvent, 'home' | 'away'> | undefined,
): readonly string[] {
  if (grid === null) return [];
  const names = { home: event?.home || 'home', draw: 'draw', away: event?.away || 'away' };
  return RESULTS.flatMap(([result, isIt]) => {
    const profits = grid.flatMap((row, home) => row.filter((_, away) => isIt(home, away))).map(Number);
    if (profits.length === 0) return [];
    const [least, most] = [signed(Math.min(...profits)), signed(Math.max(...profits))];
    const range = least === most ? `${least} USDT` : `${least} to ${most} USDT, by the score`;
    return [`if ${names[result]}: ${range}`];
  });
}

const signed = (amount: number): string => TERMINAL.gainInCents(amount);

/** The name of a selection and the side of a bet; where the event is no longer described, the exchange's own description. */
function sideOf(betType: BetType, event: SportEvent | undefined, description = ''): Row {
  const parts = splitBetType(betType);
  const selection =
    parts === null || event === undefined ? description || betType : selectionName(parts.outcome, event);
  return { selection, side: parts?.direction ?? null };
}

interface HeartbeatsOptions extends ExchangeOptions {
  readonly delete?: string;
}

/** `touchline exchange heartbeats`: the account's heartbeats (dead-man's timers), and how to delete one. */
export function heartbeatsCommand(): Command {
  return exchangeCommand(
    'heartbeats',
    'list the heartbeats; when one expires, the exchange closes every open order',
  )
    .option('--delete <id>', 'first delete this heartbeat, which closes no order', parseText)
    .action((options: HeartbeatsOptions) => report(options, (exchange) => listHeartbeats(exchange, options)));
}

async function listHeartbeats(exchange: ExchangeClient, options: HeartbeatsOptions): Promise<Report> {
  if (options.delete !== undefined) {
    await exchange.heartbeats.delete(heartbeatId(options.delete));
    process.stderr.write(`deleted ${options.delete}\n`);
  }
  const nowMs = systemClock.wallMs();
  const rows = (await exchange.heartbeats.list()).map(({ heartbeatId: id, expiryMs }): Row => ({
    heartbeat_id: id,
    expires: instant(expiryMs),
    seconds_left: expiryMs === null ? null : Math.round((expiryMs - nowMs) / 1000),
  }));
  return { rows, none: 'no heartbeat' };
}
