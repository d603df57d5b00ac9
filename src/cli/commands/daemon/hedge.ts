import process from 'node:process';
import { type Command, Option } from 'commander';
import { EXIT } from '../../../app/run/exit-codes.ts';
import { TouchlineError } from '../../../domain/errors.ts';
import type { HedgeQuestion } from '../../../ops/commands/controls.ts';
import { parseFromZero, parseText } from '../../input/arguments.ts';
import { jsonText } from '../../output/output.ts';
import { operatingCommand, type OperateOptions, operationOf } from './operate.ts';

interface HedgeOptions extends OperateOptions {
  readonly bound?: number;
  readonly equalise?: string | true;
  readonly flatten?: string;
  readonly offer?: boolean;
  readonly preview?: boolean;
  readonly confirm?: string;
  readonly reason: string;
  readonly json?: boolean;
}

const EXAMPLES = `
Examples:
  touchline hedge "Northgate v Harbour" --bound 50 --preview   what bounds the loss at 50 USDT, and what it costs
  touchline hedge --confirm PLAN                               make the previewed hedge, if its prices still hold
  touchline hedge "Northgate v Harbour" --equalise             the market pays the same whoever wins
  touchline hedge "Northgate v Harbour" --flatten "Over 2.5" --offer`;

const print = (line: string): boolean => process.stdout.write(`${line}\n`);

/** `touchline hedge`: previews and makes a hedge of one event, through the running daemon. */
export function hedgeCommand(): Command {
  return operatingCommand(
    'hedge',
    'bound, equalise or flatten what an event can lose; never makes its worst case worse',
  )
    .argument(
      '[event]',
      'its name, a unique part of it, or its id; with SPORT/ before it, in that sport alone',
    )
    .addOption(
      new Option(
        '--bound <usdt>',
        'lose no more than this, by at most three bets over its markets',
      ).argParser(parseFromZero),
    )
    .option(
      '--equalise [market]',
      'a market pays the same whichever selection wins: of this family (as wdw), else the most uneven one',
    )
    .option('--flatten <selection>', 'the bets on a selection pay the same whatever its outcome', parseText)
    .option('--offer', 'offer stake at the best prices instead of taking what is there')
    .option('--preview', 'show what it would do, and send nothing')
    .option('--confirm <plan>', 'make a hedge that was previewed', parseText)
    .option('--reason <text>', 'the reason, which is recorded', parseText, 'no reason given')
    .option('--json', 'print JSON')
    .addHelpText('after', EXAMPLES)
    .action(hedge);
}

async function hedge(event: string | undefined, options: HedgeOptions): Promise<void> {
  const { makeHedge, previewHedge } = await import('../../../app/operate/hedge.ts');
  const { hasMissedBound, unmatchedOf } = await import('../../../read-model/hedge-words.ts');
  const { renderHedge, renderProgress } = await import('../../output/hedge-view.ts');
  const operation = operationOf(options);
  let plan = options.confirm;
  if (plan === undefined) {
    const preview = await previewHedge(operation, questionOf(event, options));
    if (options.json !== true) renderHedge(preview).forEach(print);
    else if (options.preview === true) print(jsonText(preview, 2));
    if (options.preview === true) {
      if (options.json !== true)
        print(`within ${preview.confirmWithinS} s: touchline hedge --confirm ${preview.plan}`);
      return;
    }
    plan = preview.plan;
  } else if (event !== undefined || asksFor(options)) {
    throw new TouchlineError('usage', '--confirm makes what was previewed: leave everything else out');
  }
  const progress = await makeHedge(operation, plan, options.reason);
  if (options.json === true) print(jsonText(progress, 2));
  else renderProgress(progress).forEach(print);
  const isDone = unmatchedOf(progress).length === 0 && !hasMissedBound(progress);
  process.exitCode = isDone ? EXIT.ok : EXIT.failure;
}

/** Whether a preview is asked for, of any kind. */
const asksFor = (options: HedgeOptions): boolean =>
  goalsOf(options) > 0 || options.offer === true || options.preview === true;

const goalsOf = ({ bound, equalise, flatten }: HedgeOptions): number =>
  [bound, equalise, flatten].filter((goal) => goal !== undefined).length;

/** Throws TouchlineError `usage` unless an event and one goal are named. */
function questionOf(event: string | undefined, options: HedgeOptions): HedgeQuestion {
  const { bound, equalise, flatten, offer } = options;
  if (event === undefined) throw new TouchlineError('usage', 'name an event');
  if (goalsOf(options) !== 1)
    throw new TouchlineError('usage', 'choose one of --bound, --equalise and --flatten');
  return {
    event,
    ...(bound !== undefined && { boundUsdt: bound }),
    ...(equalise !== undefined && { equalise: equalise === true ? '' : equalise }),
    ...(flatten !== undefined && { flatten }),
    ...(offer === true && { offer }),
  };
}
