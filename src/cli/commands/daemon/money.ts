import process from 'node:process';
import type { Command } from 'commander';
import type { ReconcileReport } from '../../../app/operate/money.ts';
import { EXIT } from '../../../app/run/exit-codes.ts';
import { parseDurationMs, parseText } from '../../input/arguments.ts';
import { instant } from '../../input/values.ts';
import { jsonText, renderTable } from '../../output/output.ts';
import { operatingCommand, type OperateOptions, operationOf } from './operate.ts';

const print = (line: string): boolean => process.stdout.write(`${line}\n`);

interface ReconcileOptions extends OperateOptions {
  readonly json?: boolean;
  readonly timeout: number;
}

const TIMEOUT_MS = 300_000;
/** In USDT. */
const CENT = 0.01;

/** `touchline reconcile`: compares the balance with what explains it. */
export function reconcileCommand(): Command {
  return operatingCommand('reconcile', 'compare the balance with results, commission and deposits')
    .option('--json', 'print JSON instead of a table')
    .option(
      '--timeout <duration>',
      'longest wait for the result, for example 5m',
      parseDurationMs,
      TIMEOUT_MS,
    )
    .action(async (options: ReconcileOptions) => {
      const { reconcile } = await import('../../../app/operate/money.ts');
      const report = await reconcile(operationOf(options), options.timeout, (why) =>
        process.stderr.write(`waiting, up to three minutes after a start: ${why}\n`),
      );
      if (options.json === true) print(jsonText(report));
      else inWords(report).forEach(print);
      const agrees = !report.pending && report.last !== null && Math.abs(report.last.residual) <= CENT;
      process.exitCode = agrees ? EXIT.ok : EXIT.failure;
    });
}

function inWords({ pending, why, last }: ReconcileReport): readonly string[] {
  if (pending || last === null) return [`not reconciled: ${why ?? 'there is no result'}`];
  const { atMs, sinceMs, balance, change, settled, commission, deposits, residual } = last;
  if (sinceMs === null)
    return [
      `balance ${balance} USDT: the first reading. Later ones are compared with it; deposits entered before it are part of it`,
    ];
  const rows = [
    { part: 'settled profit', usdt: settled },
    { part: 'commission', usdt: 0 - commission },
    { part: 'deposits', usdt: deposits },
    { part: 'not explained', usdt: residual },
    { part: 'change of the balance', usdt: change },
  ];
  const span = `from ${instant(sinceMs)} to ${instant(atMs)}, balance ${balance} USDT`;
  const verdict =
    Math.abs(residual) <= CENT
      ? 'the balance is explained'
      : `${residual} USDT are NOT EXPLAINED: see docs/reference/history.md; a deposit is entered with touchline deposit AMOUNT`;
  return [span, ...renderTable(rows), verdict];
}

interface DepositOptions extends OperateOptions {
  readonly note: string;
}

/** `touchline deposit`: enters money that a person moved. */
export function depositCommand(): Command {
  return operatingCommand(
    'deposit',
    'record money that was moved into the account, so that the balance can be explained',
  )
    .argument('<amount>', 'USDT; negative for a withdrawal')
    .option('--note <text>', 'where the money came from, which is recorded', parseText, '')
    .action(async (text: string, options: DepositOptions) => {
      const { deposit, depositAmount } = await import('../../../app/operate/money.ts');
      const amountUsdt = depositAmount(text);
      const by = await deposit(operationOf(options), { amountUsdt, note: options.note });
      const where =
        by === 'daemon' ? 'the daemon has it' : 'no daemon runs: the next one finds it in the journal';
      print(`entered: ${amountUsdt} USDT; ${where}`);
      process.exitCode = EXIT.ok;
    });
}
