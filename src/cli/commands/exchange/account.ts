import process from 'node:process';
import type { Command } from 'commander';
import { systemClock } from '../../../app/adapters/system-clock.ts';
import type { Config } from '../../../app/config/load.ts';
import type { ExchangeClient } from '../../../app/exchange/connect.ts';
import { type EventId, heartbeatId, type Sport } from '../../../domain/ids.ts';
import { parseText } from '../../input/arguments.ts';
import { exchangeCommand, type ExchangeOptions, report, type Report } from '../../input/exchange-command.ts';
import { checkCodes, instant, parseEventId, parseSport, usdt } from '../../input/values.ts';
import type { Row } from '../../output/output.ts';

/** `touchline balance` */
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
  readonly event: EventId;
}

/** `touchline position` */
export function positionCommand(): Command {
  return exchangeCommand('position', 'show what the account has matched on an event')
    .requiredOption('--sport <code>', 'the sport of the event', parseSport)
    .requiredOption('--event <id>', 'the event', parseEventId)
    .action((options: PositionOptions) =>
      report(options, (exchange, config) => showPosition(exchange, options, config)),
    );
}

async function showPosition(
  exchange: ExchangeClient,
  { sport, event }: PositionOptions,
  { exchange: { otherCodes } }: Config,
): Promise<Report> {
  checkCodes('--sport', [sport], otherCodes);
  const position = await exchange.orders.position({ sport, eventId: event });
  const rows = [...position.totals].map(([betType, total]): Row => ({
    bet_type: betType,
    description: position.descriptions.get(betType) ?? '',
    price: total.gotPrice,
    stake_usdt: usdt(total.gotStakeMicros),
    unknown_price: total.unknownPrice,
    unknown_stake_usdt: usdt(total.unknownStakeMicros),
  }));
  const grid = position.payoffGridMicros?.map((row) => row.map(usdt)) ?? null;
  const json = { sport, event_id: event, totals: rows, payoff_grid_usdt: grid };
  return { rows, json, none: 'nothing matched' };
}

interface HeartbeatsOptions extends ExchangeOptions {
  readonly delete?: string;
}

/** `touchline heartbeats`: the account's heartbeats (dead-man's timers), and how to delete one. */
export function heartbeatsCommand(): Command {
  return exchangeCommand('heartbeats', 'list the heartbeats; the expiry of each closes every open order')
    .option('--delete <id>', 'delete this one first; no order is closed', parseText)
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
