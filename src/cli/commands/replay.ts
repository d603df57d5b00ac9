import { Command } from 'commander';
import type { ReplayReport } from '../../app/research/replay/replay-session.ts';
import { collectParameters, parseInteger } from '../input/arguments.ts';
import { type ConfigOptions, configOf, IDS, withConfigOptions } from '../input/exchange-command.ts';
import { jsonText, printAll, tellWritten } from '../output/output.ts';

interface ReplayOptions extends ConfigOptions {
  readonly strategy?: string;
  readonly param?: Readonly<Record<string, unknown>>;
  readonly session?: number;
  readonly out?: string;
  readonly json?: boolean;
  readonly ids?: boolean;
}

/** `touchline replay` */
export function replayCommand(): Command {
  const command = new Command('replay')
    .description(
      'decide a recorded run again, and show what another strategy or parameter would have changed',
    )
    .argument('<recording>', 'a recording of a run, made with record.path and record.turns')
    .option('--strategy <name>', 'another strategy, by the name of a bundled one or by its file')
    .option('--param <key=value>', 'a parameter of the strategy; repeatable', collectParameters)
    .option(
      '--session <n>',
      'the session to replay (default: the last one of a run)',
      parseInteger(1, 2 ** 31 - 1),
    )
    .option(
      '--out <folder>',
      'write a report of the session to this folder: its orders in the fill scenarios, and their real fills',
    )
    .option('--ids', IDS)
    .option('--json', 'print one JSON object as the last line');
  return withConfigOptions(command).action(run);
}

async function run(folder: string, options: ReplayOptions): Promise<void> {
  const { diskFolder } = await import('../../app/record/disk-folder.ts');
  const { replaySession } = await import('../../app/research/replay/replay-session.ts');
  const { replayJson, replayLines } = await import('../output/replay-view.ts');
  const { strategy = null, param = {}, session = null } = options;
  const isConfigured = (options.config ?? []).length > 0 || Object.keys(options.set ?? {}).length > 0;
  const config = isConfigured ? (await configOf(options)).values : null;
  const report = await replaySession({
    folder: diskFolder(folder),
    session,
    strategy,
    parameters: param,
    config,
  });
  if (options.out !== undefined) await writeSession(options.out, folder, report);
  await printAll(options.json === true ? [jsonText(replayJson(report))] : replayLines(report, options.ids));
}

/** The recorded session, whatever would have been decided otherwise. */
async function writeSession(out: string, folder: string, { session, settings }: ReplayReport): Promise<void> {
  const { diskFolder } = await import('../../app/record/disk-folder.ts');
  const { sessionReport } = await import('../../app/research/replay/session-report.ts');
  const { writeBacktest } = await import('../../app/research/report-files.ts');
  const { strategy, parameters, limits } = settings;
  const report = await sessionReport({
    folder: diskFolder(folder),
    session,
    strategy,
    limits,
    parameters: parameters as Record<string, unknown>,
  });
  tellWritten(await writeBacktest(out, report));
}
