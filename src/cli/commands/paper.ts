import process from 'node:process';
import { Command, Option } from 'commander';
import { TouchlineError } from '../../domain/errors.ts';
import { eventId, sport } from '../../domain/ids.ts';
import type { ToldResult } from '../../domain/bet-types/result.ts';
import { parseInteger, parseText } from '../input/arguments.ts';
import { operatingCommand, type OperateOptions, operationOf } from './daemon/operate.ts';

interface SettleOptions extends OperateOptions {
  readonly score?: string;
  readonly winner?: number;
  readonly void?: boolean;
  readonly note: string;
  readonly beforeStart?: boolean;
}

/** `touchline paper`: what only a person can tell a paper account. */
export function paperCommand(): Command {
  return new Command('paper').description('settle the bets of a paper account').addCommand(settleCommand());
}

function settleCommand(): Command {
  return operatingCommand('settle', 'tell the result of an event, by which its paper bets are settled')
    .argument('<event>', 'SPORT/ID, such as fb/2026-03-01,1,2')
    .addOption(
      new Option('--score <home-away>', 'the final score; of a half, for the event of the half').argParser(
        parseText,
      ),
    )
    .addOption(
      new Option('--winner <team>', 'the id of the team that won an outright').argParser(
        parseInteger(1, 999_999_999),
      ),
    )
    .option('--void', 'every bet is void')
    .option('--before-start', 'it counts although the event has not started, by the exchange')
    .option('--note <text>', 'where the result is from, which is recorded', parseText, '')
    .action(settle);
}

async function settle(event: string, options: SettleOptions): Promise<void> {
  const told = toldBy(options);
  const [code = '', id = ''] = event.split('/', 2);
  if (code === '' || id === '')
    throw new TouchlineError('usage', `${event}: expected SPORT/ID, such as fb/2026-03-01,1,2`);
  const { settlePaper } = await import('../../app/operate/settle-paper.ts');
  const { note, beforeStart = false } = options;
  const result = { sport: sport(code), eventId: eventId(id), told };
  const { by, betTypes } = await settlePaper(operationOf(options), { ...result, note, beforeStart });
  const who = by === 'daemon' ? 'the daemon has settled' : 'no daemon runs: the next one settles';
  const over = 'the event is over for this account, and is not quoted any more';
  process.stdout.write(`${who} the bets on ${betTypes.join(' and ')}; ${over}\n`);
}

function toldBy({ score, winner, void: isVoid }: SettleOptions): ToldResult {
  const given = [score, winner, isVoid].filter((each) => each !== undefined);
  if (given.length !== 1)
    throw new TouchlineError('usage', 'tell the result by one of --score, --winner and --void');
  if (winner !== undefined) return { kind: 'winner', teamId: winner };
  if (score === undefined) return { kind: 'void' };
  const [, home, away] = /^(\d{1,3})-(\d{1,3})$/.exec(score) ?? [];
  if (home === undefined || away === undefined)
    throw new TouchlineError('usage', `${score}: expected a score such as 2-1`);
  return { kind: 'score', home: Number(home), away: Number(away) };
}
