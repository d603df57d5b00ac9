/** Programs of this machine: run to their end, or left running while others look at them. */
import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';

export interface Result {
  /** 128 and more if a signal ended it, as shells count. */
  readonly code: number;
  /** Stdout, then stderr. */
  readonly output: string;
  readonly stdout: string;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Given to the program's stdin. Default: no input. */
  readonly input?: string | Buffer;
  /** The program is killed after this. Default: two minutes. */
  readonly timeoutMs?: number;
}

const DEFAULT_TIMEOUT_MS = 120_000;
const POLL_MS = 250;
const SIGNAL_BASE = 128;
const SIGKILL = 9;

/** Commands that {@link run} waits for. Each leads a process group, so that all of it can be ended. */
const running = new Set<Program>();

/** Ends the commands that {@link run} waits for, with all that they have started. */
export async function endCommands(): Promise<void> {
  await Promise.all([...running].map(async (program) => program.endGroup()));
}

/** Runs a command to its end. An exit code other than 0 is a result, not an error. */
export async function run(command: readonly string[], options: RunOptions = {}): Promise<Result> {
  const program = new Program(command, { ...options, isGroup: true });
  running.add(program);
  if (options.input !== undefined) program.child.stdin?.end(options.input);
  const timer = setTimeout(() => void program.endGroup(), options.timeoutMs ?? DEFAULT_TIMEOUT_MS);
  const code = await program.ended.finally(() => {
    clearTimeout(timer);
    running.delete(program);
  });
  return { code, output: program.stdout + program.stderr, stdout: program.stdout };
}

/** Runs a command to its end and returns its stdout, trimmed. Throws an Error with its output unless it exits with 0. */
export async function must(command: readonly string[], options: RunOptions = {}): Promise<string> {
  const { code, output, stdout } = await run(command, options);
  if (code === 0) return stdout.trim();
  throw new Error(`${command.join(' ')} ended with ${code}:\n${lastLines(output)}`);
}

/** The end of an output, for messages. */
export const lastLines = (output: string, lines = 15): string =>
  output.trimEnd().split('\n').slice(-lines).join('\n');

interface ProgramOptions extends RunOptions {
  /** Whether it leads a process group. Default: no. */
  readonly isGroup?: boolean;
}

/** A running program, and all that it has written. */
export class Program {
  readonly child: ChildProcess;
  /** The exit code, once the program is over and its output is read. */
  readonly ended: Promise<number>;
  readonly #command: readonly string[];
  #stdout = '';
  #stderr = '';
  #isOver = false;

  constructor(command: readonly string[], { cwd, env, input, isGroup = false }: ProgramOptions = {}) {
    const [file = '', ...args] = command;
    const stdin = input === undefined ? 'ignore' : 'pipe';
    const options: SpawnOptions = { stdio: [stdin, 'pipe', 'pipe'], detached: isGroup };
    if (cwd !== undefined) options.cwd = cwd;
    if (env !== undefined) options.env = env;
    this.#command = command;
    this.child = spawn(file, args, options);
    this.child.stdout?.setEncoding('utf8').on('data', (text: string) => (this.#stdout += text));
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => (this.#stderr += text));
    this.child.stdin?.on('error', () => undefined);
    this.ended = new Promise((resolve, reject) => {
      this.child.on('error', reject);
      this.child.on('close', (code, signal) => {
        this.#isOver = true;
        resolve(code ?? SIGNAL_BASE + (signal === 'SIGTERM' ? 15 : SIGKILL));
      });
    });
    // A failure is reported to whoever awaits the end; until then it is no unhandled rejection.
    this.ended.catch(() => undefined);
  }

  get stdout(): string {
    return this.#stdout;
  }

  get stderr(): string {
    return this.#stderr;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Waits until the program has written a text. Throws an Error with its output if it ends first, or after `timeoutMs`. */
  async until(text: string, timeoutMs: number): Promise<void> {
    await eventually(`${this.#command.join(' ')} writes "${text}"`, timeoutMs, () => {
      if ((this.#stdout + this.#stderr).includes(text)) return true;
      if (this.#isOver) throw new Error(`the program ended before it wrote "${text}":\n${this.tail()}`);
      return false;
    }).catch((error: unknown) => {
      throw new Error(`${(error as Error).message}\n${this.tail()}`, { cause: error });
    });
  }

  /** Kills the group that it leads, and waits for its end. */
  async endGroup(): Promise<void> {
    if (this.child.pid === undefined || this.#isOver) return;
    try {
      process.kill(-this.child.pid, 'SIGKILL');
    } catch {
      // It has just ended.
    }
    await this.ended;
  }

  tail(): string {
    return lastLines(this.#stdout + this.#stderr);
  }
}

/**
 * Asks until the answer is yes, and returns after how many milliseconds. Throws an Error that names the expectation after
 * `timeoutMs`. Errors of `ask` end the wait.
 */
export async function eventually(
  expectation: string,
  timeoutMs: number,
  ask: () => boolean | Promise<boolean>,
): Promise<number> {
  const started = performance.now();
  for (;;) {
    const passedMs = performance.now() - started;
    if (await ask()) return Math.round(passedMs);
    if (passedMs > timeoutMs) throw new Error(`not within ${timeoutMs / 1000} s: ${expectation}`);
    await pause(POLL_MS);
  }
}
