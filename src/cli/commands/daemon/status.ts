import process from 'node:process';
import type { Command } from 'commander';
import { systemClock } from '../../../app/adapters/system-clock.ts';
import { onKeys } from '../../../app/adapters/terminal-keys.ts';
import type { Operation } from '../../../app/operate/operate.ts';
import type { SelectionId } from '../../../domain/ids.ts';
import { selectionFrom } from '../../../domain/selection.ts';
import { reasonOf } from '../../../lib/reason.ts';
import type { Status } from '../../../read-model/status.ts';
import type { KeyCommand, Watched } from '../../output/live/live-view.ts';
import { operatingCommand, operationOf, type OperateOptions } from './operate.ts';
import { jsonText } from '../../output/output.ts';

interface StatusOptions extends OperateOptions {
  readonly ids?: boolean;
  readonly json?: boolean;
  readonly watch?: boolean;
}

const operate = () => import('../../../app/operate/operate.ts');

const LOOK_EVERY_MS = 500;
/** For a pipe, which has no size. */
const WHOLE_PAGE = { columns: 200, rows: 10_000 };

/** `touchline status`: what a running daemon does, on one screen. */
export function statusCommand(): Command {
  return operatingCommand('status', 'show what the daemon quotes, holds and has earned')
    .option('--ids', 'show the ids of events and selections instead of their names')
    .option('--json', 'print the whole status as JSON')
    .option('-w, --watch', 'keep showing it, and take the keys of the daemon’s own terminal')
    .action(async (options: StatusOptions) => {
      const operation = operationOf(options);
      if (options.watch === true && process.stdout.isTTY) return watch(operation);
      const { statusReport } = await operate();
      const { renderStatus } = await import('../../output/live/status-view.ts');
      const status = await statusReport(operation);
      const lines =
        options.json === true
          ? [jsonText(status)]
          : uncolouredUnlessTerminal(
              renderStatus(options.ids === true ? withIds(status) : status, [], pageSize()),
            );
      process.stdout.write(`${lines.join('\n')}\n`);
    });
}

/** The same status, with ids in the place of names. */
function withIds(status: Status): Status {
  const outcomeOf = (id: SelectionId): string => selectionFrom(id)?.outcome ?? id;
  return {
    ...status,
    events: status.events.map((event) => ({
      ...event,
      name: event.key.split('|')[1] ?? event.name,
      selections: event.selections.map((each) => ({ ...each, outcome: outcomeOf(each.selectionId) })),
    })),
    recentFills: status.recentFills.map((fill) => ({ ...fill, outcome: outcomeOf(fill.selectionId) })),
  };
}

const pageSize = () =>
  process.stdout.isTTY ? { ...WHOLE_PAGE, columns: process.stdout.columns } : WHOLE_PAGE;

const uncolouredUnlessTerminal = (lines: readonly string[]): readonly string[] =>
  process.stdout.isTTY ? lines : lines.map((line) => line.replaceAll(/\x1b\[[0-9;]*m/g, ''));

/** Shows the status until a person quits. A daemon that does not answer is shown as such, with the last status. */
async function watch(operation: Operation): Promise<void> {
  const { clearScreen, draw, showCursor, terminalSize } = await import('../../output/console.ts');
  const { LiveView, showsState } = await import('../../output/live/live-view.ts');
  const { sleep } = await import('../../../ports/clock.ts');
  const view = new LiveView(true);
  const state: { quits: boolean; watched: Watched | null } = { quits: false, watched: null };
  const leave = onKeys((key) => {
    const command = view.onKey(key);
    if (command === 'quit') state.quits = true;
    else if (command !== null) void act(operation, command).then((text) => view.notice(text));
  });
  clearScreen();
  try {
    while (!state.quits) {
      const events = showsState(terminalSize()) ? view.events : null;
      state.watched = await newest(operation, events, state.watched, (why) =>
        view.notice(`OLD STATUS: ${why}`),
      );
      draw(view.render(state.watched, terminalSize()));
      await sleep(systemClock, LOOK_EVERY_MS);
    }
  } finally {
    leave();
    showCursor();
  }
}

/** How the daemon stands at present, or else how it stood before. `events`: null if no state for pages is needed. Rejects if there is neither. */
async function newest(
  operation: Operation,
  events: ReadonlySet<string> | null,
  before: Watched | null,
  onOld: (why: string) => void,
): Promise<Watched> {
  const { liveReport, logReport, statusReport } = await operate();
  try {
    const [status, log, state] = await Promise.all([
      statusReport(operation),
      logReport(operation),
      events === null ? null : liveReport(operation, events),
    ]);
    return { status, state, log };
  } catch (error) {
    if (before === null) throw error;
    onOld(reasonOf(error));
    return before;
  }
}

/** Carries out a command. Resolves to a text for the person, also if it failed. */
async function act(operation: Operation, command: Exclude<KeyCommand, 'quit'>): Promise<string> {
  const reason = 'pressed in touchline status';
  try {
    if (command === 'kill') {
      const { kill } = await import('../../../app/operate/kill.ts');
      const { killInWords } = await import('../../../app/operate/kill-report.ts');
      return killInWords(await kill(operation, reason));
    }
    const { pause, resume } = await operate();
    if (command === 'pause') return `paused: ${(await pause(operation, reason)).binding}; r resumes`;
    const { trading, remaining } = await resume(operation, reason);
    return trading ? 'resumed' : `not resumed: ${remaining.map(({ what }) => what).join('; ')}`;
  } catch (error) {
    return `FAILED: ${reasonOf(error)}`;
  }
}
