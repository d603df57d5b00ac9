import type { FactsChoice } from '../../app/research/market-facts.ts';
import { statSync } from 'node:fs';
import process from 'node:process';
import { Command, InvalidArgumentError, Option } from 'commander';
import { TERMINAL } from '../../lib/formats.ts';
import { systemClock } from '../../app/adapters/system-clock.ts';
import { EXIT } from '../../app/run/exit-codes.ts';
import { TouchlineError } from '../../domain/errors.ts';
import type { RecordingFolder } from '../../ports/recording-folder.ts';
import type { Needed } from '../../research/needed-events.ts';
import type { Coverage } from '../../research/result.ts';
import type { RecordingReport } from '../../recording/verify.ts';
import { TABLE_FORMATS, type TableFormat } from '../../research/table-formats.ts';
import { usualLedgerFolder } from '../../app/research/run-ledger.ts';
import { parseInteger, parsePositive } from '../input/arguments.ts';
import { instant } from '../input/values.ts';
import { jsonText, renderTable } from '../output/output.ts';
import { plainText } from '../../lib/plain-text.ts';

const recordingView = () => import('../output/recording-view.ts');

/** `touchline data`: recordings. */
export function dataCommand(): Command {
  return new Command('data')
    .description('import, describe and check recordings')
    .addCommand(importCommand())
    .addCommand(resultsCommand())
    .addCommand(exportCommand())
    .addCommand(splitCommand())
    .addCommand(factsCommand())
    .addCommand(infoCommand())
    .addCommand(fitCommand())
    .addCommand(
      reportCommand(
        'verify',
        'read every record of a recording and check every checksum; exit code 1 at damage',
        async (folder) => (await import('../../recording/verify.ts')).verifyRecording(folder),
      ),
    );
}

interface ImportOptions {
  readonly out: string;
  readonly partial?: boolean;
}

function importCommand(): Command {
  return new Command('import')
    .description('import Betfair’s historical files into a recording; exit code 1 if a file is bad')
    .argument('<file...>', 'files (.tar, .bz2, .gz or plain lines), or folders of them')
    .requiredOption('--out <folder>', 'the recording: a new folder, or a recording that gets another session')
    .option('--partial', 'import the lines of a damaged file that stand before the damage')
    .action(async (files: readonly string[], { out, partial = false }: ImportOptions) => {
      const { importFiles } = await import('../../app/research/import-files.ts');
      const { kindsText } = await import('../../betfair/file-reading.ts');
      const totals = await importFiles({
        files,
        folder: out,
        partial,
        nowMs: systemClock.wallMs(),
        onFile: ({ file, undefinedMarkets, otherLines, cut }) => {
          if (undefinedMarkets.length > 0)
            complainOf(`${file}: without a definition, so left out: ${undefinedMarkets.join(', ')}`);
          if (otherLines.size > 0)
            complainOf(`${file}: lines that are no changes of a market: ${kindsText(otherLines)}`);
          if (cut !== null) complainOf(`${cut}; what stands before is imported`);
        },
        onBadFile: (reason) => complainOf(`${reason}; the file is left out`),
      });
      process.stdout.write(
        `imported ${totals.markets} markets of ${totals.files} files, ${totals.lines} lines, into ${out}\n`,
      );
      if (totals.badFiles > 0) process.exitCode = EXIT.failure;
    });
}

function resultsCommand(): Command {
  return new Command('results')
    .description('add results to an imported recording that lacks them')
    .argument('<recording>', 'the folder of the recording')
    .argument('<file>', 'CSV with event_id and score (2-1, or void); also sport (default fb) and half_time')
    .action(async (recording: string, file: string) => {
      const { addResults } = await import('../../app/research/add-results.ts');
      const events = await addResults(recording, file, systemClock);
      process.stdout.write(`added the results of ${events} events to ${recording}\n`);
    });
}

interface ExportOptions {
  readonly out: string;
  readonly format: TableFormat;
}

function exportCommand(): Command {
  return new Command('export')
    .description('write the markets of recordings or Betfair files as tables, a folder for each event')
    .argument('<data...>', 'imported recordings, Betfair files, or folders of them')
    .requiredOption('--out <folder>', 'folder for the tables')
    .addOption(
      new Option('--format <name>', 'format of the tables').choices(TABLE_FORMATS).default('parquet'),
    )
    .action(async (data: readonly string[], { out, format }: ExportOptions) => {
      const { exportTapes } = await import('../../app/research/export.ts');
      const events = await exportTapes(data, out, format);
      process.stdout.write(`exported ${events} events into ${out}\n`);
    });
}

interface SplitOptions {
  readonly share: number;
  readonly seed: number;
  readonly ledger: string;
}

function splitCommand(): Command {
  return new Command('split')
    .description('set whole match days of the data aside for a last judgement; backtests then leave them out')
    .argument('<data...>', 'imported recordings, Betfair files, or folders of them')
    .option('--share <percent>', 'least share of the events to set aside', parseShare, 30)
    .option('--seed <n>', 'draws the days', parseInteger(0, 2 ** 31 - 1), 1)
    .option('--ledger <folder>', 'folder that counts the tries of each data set', usualLedgerFolder())
    .action(async (data: readonly string[], { share, seed, ledger }: SplitOptions) => {
      const { setAside } = await import('../../app/research/set-aside.ts');
      const nowMs = systemClock.wallMs();
      const { events, days, asideEvents, asideDays } = await setAside({
        data,
        share: share / 100,
        seed,
        ledger,
        nowMs,
      });
      process.stdout.write(
        `set aside ${asideEvents} of ${events} events, on ${asideDays} of ${days} match days; \`touchline backtest --set-aside\` uses them\n`,
      );
    });
}

function parseShare(text: string): number {
  const share = parsePositive(text);
  if (share >= 100) throw new InvalidArgumentError('expected percent below 100, such as 30');
  return share;
}

interface FactsOptions {
  readonly modelled: number;
  readonly seed: number;
  readonly against?: boolean;
  readonly json?: boolean;
}

function factsCommand(): Command {
  return new Command('facts')
    .description('measure markets: spreads, depth, moves, trades, what takers pay and what makers keep of it')
    .argument('[data...]', 'imported recordings, Betfair files, or folders of them')
    .option(
      '--modelled <evenings>',
      'measure so many evenings of the modelled market',
      parseInteger(0, 10_000),
      0,
    )
    .option('--against', 'say whether each figure of the data is one that the modelled evenings have')
    .option('--seed <n>', 'draws the evenings', parseInteger(0, 2 ** 31 - 1), 1)
    .option('--json', 'print JSON')
    .action(async (data: readonly string[], { modelled, against, seed, json = false }: FactsOptions) => {
      if (data.length === 0 && modelled === 0)
        throw new TouchlineError('usage', 'data facts needs files or folders of data, or --modelled');
      if (against === true) return compareFacts({ data, evenings: modelled, seed }, json);
      const { marketFacts } = await import('../../app/research/market-facts.ts');
      const { factsText } = await import('../output/facts-view.ts');
      const facts = await marketFacts({ data, evenings: modelled, seed });
      print(json ? [jsonText(facts)] : factsText(facts));
    });
}

async function compareFacts(choice: FactsChoice, isJson: boolean): Promise<void> {
  if (choice.data.length === 0 || choice.evenings === 0)
    throw new TouchlineError('usage', 'data facts --against needs files or folders of data, and --modelled');
  const { factsAgainst } = await import('../../app/research/market-facts.ts');
  const { comparisonText } = await import('../output/facts-view.ts');
  const comparisons = await factsAgainst(choice);
  print(isJson ? [jsonText(comparisons)] : comparisonText(comparisons));
  if (comparisons.some(({ isInside }) => !isInside)) process.exitCode = EXIT.failure;
}

const complainOf = (what: string): void => void process.stderr.write(`touchline: ${plainText(what)}\n`);

function infoCommand(): Command {
  return new Command('info')
    .description('show what a recording, or a Betfair file, contains; works while a recording grows')
    .argument('<data>', 'the folder of a recording, or a Betfair file')
    .option('--json', 'print JSON')
    .action(async (path: string, { json = false }: { readonly json?: boolean }) => {
      const { diskFolder } = await import('../../app/record/disk-folder.ts');
      const { marketData } = await import('../../app/research/market-data.ts');
      const { describeRecording } = await import('../../recording/verify.ts');
      const recording = isFile(path) ? null : await describeRecording(diskFolder(path));
      const isImported = recording === null || recording.summary.kinds['market'] !== undefined;
      const markets = isImported ? (await marketData([path])).coverage : null;
      const { recordingText } = await recordingView();
      const text = [
        ...(recording === null ? [] : recordingText(recording)),
        ...(markets === null ? [] : coverageText(markets)),
      ];
      print(json ? [jsonText({ ...recording, ...(markets && { markets }) })] : text);
      if (recording !== null && recording.damage.length > 0) process.exitCode = EXIT.failure;
    });
}

function fitCommand(): Command {
  return new Command('fit')
    .description('say how many events like these a verdict on an edge of ±1 % of the risk needs')
    .argument('<data...>', 'imported recordings, Betfair files, or folders of them')
    .option('--json', 'print JSON')
    .action(async (data: readonly string[], { json = false }: { readonly json?: boolean }) => {
      const { marketData } = await import('../../app/research/market-data.ts');
      const { NeededEvents } = await import('../../research/needed-events.ts');
      const { tapes, coverage } = await marketData(data);
      const needed = new NeededEvents();
      for await (const tape of tapes()) needed.add(tape);
      const measures = needed.needed();
      print(json ? [jsonText({ events: coverage.events, measures })] : fitText(coverage.events, measures));
    });
}

/** For each measure: how far one fill scatters, and the events that make it out. */
const fitText = (events: number, measures: readonly Needed[]): string[] => [
  `${events} ${events === 1 ? 'event' : 'events'}. A verdict of ±1 % of the risk, at 95 %, needs`,
  ...renderTable(
    measures.map(({ measure, deviation, eventsOfOneFill, eventsOfMinutes }) => ({
      by: measure,
      scatter_of_a_fill: deviation === null ? 'not in the data' : TERMINAL.percent(deviation),
      events_of_one_fill: eventsOfOneFill ?? '-',
      events_of_a_fill_a_minute: eventsOfMinutes ?? '-',
    })),
  ),
];

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true;

const print = (lines: readonly string[]): void => void process.stdout.write(`${lines.join('\n')}\n`);

/** What a backtest would read. */
function coverageText({
  events,
  selections,
  fromMs,
  toMs,
  updates,
  trades,
  gapMs,
  dataHash,
  remarks,
}: Coverage): string[] {
  const range =
    updates === 0
      ? 'no market of it has a bet type on the exchange, or none has any update'
      : `from ${instant(fromMs) ?? '-'} to ${instant(toMs) ?? '-'}; ${TERMINAL.whole(gapMs / 1000)} s of gaps`;
  return [
    `markets     ${events} events, ${selections} selections`,
    `            ${range}`,
    `            ${updates} updates, ${trades} of them trades`,
    `            hash ${dataHash}`,
    ...remarks.map((remark) => `remark      ${remark}`),
  ];
}

type Examine = (folder: RecordingFolder) => Promise<RecordingReport>;

function reportCommand(name: string, description: string, examine: Examine): Command {
  return new Command(name)
    .description(description)
    .argument('<recording>', 'the folder of the recording')
    .option('--json', 'print JSON')
    .action(async (path: string, options: { readonly json?: boolean }) => {
      const { diskFolder } = await import('../../app/record/disk-folder.ts');
      const report = await examine(diskFolder(path));
      const { recordingText } = await recordingView();
      const lines = options.json === true ? [jsonText(report)] : recordingText(report);
      print(lines);
      if (report.damage.length > 0) process.exitCode = EXIT.failure;
    });
}
