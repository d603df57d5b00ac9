import process from 'node:process';
import { onKeys } from '../../app/adapters/terminal-keys.ts';
import type { RunConsole } from '../../app/run/run-signals.ts';
import { MODES } from '../../domain/mode.ts';
import { createLogger, type LogLevel } from '../../ops/logger.ts';
import { logCrashes, logFailure } from './failures.ts';
import { openLog } from './log-stream.ts';
import { jsonText, stayWhenNobodyReads } from './output.ts';
import { LiveView, showsState } from './live/live-view.ts';
import { renderSummary } from './summary-view.ts';

export interface ConsoleOptions {
  readonly json: boolean;
  readonly level: LogLevel;
}

type Shown = Omit<RunConsole, 'outputLost'>;

/** A live view if stdout is a terminal and JSON was not requested; else log lines: JSON, or for people on a terminal. */
export async function openConsole(options: ConsoleOptions): Promise<RunConsole> {
  const isTerminal = process.stdout.isTTY && !options.json;
  const shown = isTerminal ? terminalConsole(options.level) : await plainConsole(options);
  return { ...shown, outputLost: stayWhenNobodyReads() };
}

/** Log lines go to stderr if stdout ends with a summary for programs, so that each stream can be read alone. */
async function plainConsole({ json, level }: ConsoleOptions): Promise<Shown> {
  const logger = await openLog(level, json ? process.stderr : process.stdout);
  logCrashes(logger);
  return {
    logger,
    isTerminal: false,
    bindLog: (fields) => logger.bind(fields),
    logLines: logger.lines,
    logTail: () => logger.tail(),
    findInLog: (question) => logger.find(question),
    setLogLevel: (next) => logger.setLevel(next),
    banner: (mode) => logger.info(`TOUCHLINE ${MODES[mode].banner}`, { mode }),
    show: () => undefined,
    command: () => undefined,
    dashboard: (link) => logger.info('the dashboard is served', { link }),
    finish: (summary) => {
      if (json) process.stdout.write(jsonText(summary) + '\n');
      else logger.info('run ended', { ...summary });
    },
    failed: (error) => logFailure(logger, error),
  };
}

const HIDE_CURSOR = '\x1b[?25l';
const SHOW_CURSOR = '\x1b[?25h';
const HOME = '\x1b[H';
const CLEAR_LINE_END = '\x1b[K';
const CLEAR_BELOW = '\x1b[J';
const CLEAR_ALL = '\x1b[2J';

export const clearScreen = (): void => void process.stdout.write(HIDE_CURSOR + CLEAR_ALL + HOME);
export const showCursor = (): void => void process.stdout.write(SHOW_CURSOR);

/** The size of the terminal now. */
export const terminalSize = (): { readonly columns: number; readonly rows: number } => ({
  columns: process.stdout.columns,
  rows: process.stdout.rows,
});

/** Draws over what is there, so that nothing flickers. */
export const draw = (lines: readonly string[]): void =>
  void process.stdout.write(HOME + lines.map((line) => line + CLEAR_LINE_END).join('\n') + CLEAR_BELOW);

function terminalConsole(level: LogLevel): Shown {
  const logger = createLogger(level, { write: () => undefined });
  const view = new LiveView(false);
  let leave = (): void => undefined;
  process.on('exit', showCursor);
  return {
    logger,
    isTerminal: true,
    bindLog: () => undefined,
    logLines: logger.lines,
    logTail: () => logger.tail(),
    findInLog: (question) => logger.find(question),
    setLogLevel: (next) => logger.setLevel(next),
    banner: clearScreen,
    show: (run) => {
      const size = terminalSize();
      const state = showsState(size) ? run.live(view.events) : null;
      draw(view.render({ status: run.status(), state, log: logger.tail() }, size));
    },
    command: (commands) => {
      leave = onKeys((key) => {
        const command = view.onKey(key);
        if (command !== null && command !== 'quit') view.notice(commands[command]());
      });
    },
    dashboard: (link) => view.link(link),
    finish: (summary) => {
      leave();
      process.stdout.write('\n' + renderSummary(summary).join('\n') + '\n' + SHOW_CURSOR);
    },
    failed: () => undefined,
  };
}
