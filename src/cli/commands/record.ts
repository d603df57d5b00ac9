import process from 'node:process';
import { Command, Option } from 'commander';
import { VERSION } from '../../app/adapters/own-files.ts';
import { systemClock } from '../../app/adapters/system-clock.ts';
import { leaveAtOnce, onStopSignals } from '../../app/adapters/system-process.ts';
import type { Config } from '../../app/config/load.ts';
import { EXIT } from '../../app/run/exit-codes.ts';
import { TouchlineError } from '../../domain/errors.ts';
import type { EventId, Sport } from '../../domain/ids.ts';
import { parseDurationMs, parseInteger, parseText } from '../input/arguments.ts';
import { type ConfigOptions, configOf, withConfigOptions } from '../input/exchange-command.ts';
import { checkCodes, parseSport, several } from '../input/values.ts';

interface RecordOptions extends ConfigOptions {
  readonly for?: number;
  readonly sport?: readonly Sport[];
  readonly event?: readonly string[];
  readonly simulated?: boolean;
  readonly evenings: number;
  readonly seed: number;
  readonly events: number;
}

/** Length of a modelled evening unless `--for` gives another one. */
const EVENING_MS = 150 * 60_000;

/** `touchline record`: records the exchange, or the modelled market, without trading. */
export function recordCommand(): Command {
  const command = new Command('record')
    .description('record the exchange’s stream into a folder, without trading; Ctrl-C ends it')
    .argument('<folder>', 'the recording: a new or empty folder, or a recording that gets another session')
    .option(
      '--for <duration>',
      'end after this time; with --simulated, the length of an evening',
      parseDurationMs,
    )
    .option('--sport <code>', 'register only events of this sport; repeatable', several(parseSport))
    .option(
      '--event <name>',
      'register only this event: its name, a unique part of it, or its id; repeatable',
      several(parseText),
    )
    .option('--simulated', 'record the modelled market on virtual time, as fast as the machine can')
    .addOption(
      numberOption('--evenings <n>', 'with --simulated: number of evenings, one a day', 1, 10_000, 1),
    )
    .addOption(numberOption('--seed <n>', 'with --simulated: seed of the market', 0, 2 ** 31 - 1, 1))
    .addOption(numberOption('--events <n>', 'with --simulated: number of events at any time', 1, 100, 2));
  return withConfigOptions(command).action((folder: string, options: RecordOptions) =>
    options.simulated === true ? recordModel(folder, options) : recordStream(folder, options),
  );
}

const numberOption = (flags: string, description: string, low: number, high: number, usual: number): Option =>
  new Option(flags, description).argParser(parseInteger(low, high)).default(usual);

async function recordStream(path: string, options: RecordOptions): Promise<void> {
  const { checkExchange, readApiKey } = await import('../../app/exchange/open-exchange.ts');
  const { wiresTo } = await import('../../app/exchange/wires.ts');
  const { recordExchange } = await import('../../app/record/record-exchange.ts');
  const { openLog } = await import('../output/log-stream.ts');
  const config = (await configOf(options)).values;
  checkExchange(config);
  checkCodes('--sport', options.sport, config.exchange.otherCodes);
  const apiKey = readApiKey(config.exchange, process.env);
  const stopped = Promise.withResolvers<void>();
  const ignore = onStopSignals(
    ...([systemClock, ['SIGINT', 'SIGTERM', 'SIGHUP']] as const),
    () => stopped.resolve(),
    () => leaveAtOnce(EXIT.failure),
  );
  try {
    await recordExchange({
      path,
      config,
      version: VERSION,
      clock: systemClock,
      stopped: stopped.promise,
      apiKey,
      wires: wiresTo(config, apiKey, systemClock),
      wanted: { sports: options.sport ?? [], events: await eventsIn(config, options) },
      durationMs: options.for ?? null,
      logger: await openLog(config.log.level, process.stderr),
    });
  } finally {
    ignore();
  }
  await show(path);
}

/** The ids of the named events. */
async function eventsIn(config: Config, { event = [], sport }: RecordOptions): Promise<readonly EventId[]> {
  if (event.length === 0) return [];
  const { openExchange } = await import('../../app/exchange/open-exchange.ts');
  const { eventIdsNamed } = await import('../../app/exchange/event-names.ts');
  await using exchange = openExchange(config, process.env);
  return await eventIdsNamed(exchange, event, sport);
}

async function recordModel(path: string, options: RecordOptions): Promise<void> {
  if (options.sport !== undefined || options.event !== undefined)
    throw new TouchlineError('usage', '--sport and --event are for the exchange, not for --simulated');
  const { openWriter } = await import('../../app/record/open-writer.ts');
  const { recordEvenings } = await import('../../app/record/simulated-evenings.ts');
  const { evenings, seed, events } = options;
  await recordEvenings({
    evenings,
    seed,
    events,
    eveningMs: options.for ?? EVENING_MS,
    version: VERSION,
    open: (session) => openWriter(path, session, { maxBytes: null }),
    onEvening: (number) => {
      if (process.stderr.isTTY) process.stderr.write(`\revening ${number} of ${evenings} is recorded`);
    },
  });
  if (process.stderr.isTTY) process.stderr.write('\n');
  await show(path);
}

async function show(path: string): Promise<void> {
  const { diskFolder } = await import('../../app/record/disk-folder.ts');
  const { describeRecording } = await import('../../recording/verify.ts');
  const { recordingText } = await import('../output/recording-view.ts');
  const report = await describeRecording(diskFolder(path));
  process.stdout.write(`${recordingText(report).join('\n')}\n`);
}
