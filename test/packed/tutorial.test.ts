import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { patient } from '../support/patience.ts';
import { temporaryFolder } from '../support/exchange.ts';
import { type Exit, launch, PROJECT_ROOT, type Run } from '../support/process.ts';

/** A block of code of the tutorial. The words behind the language say where it belongs. */
interface Block {
  readonly language: string;
  readonly place: string;
  readonly code: string;
}

const TEXT = readFileSync(path.join(PROJECT_ROOT, 'docs/strategies/tutorial.md'), 'utf8');
const BLOCKS: readonly Block[] = Array.from(
  TEXT.matchAll(/^```(\w+)(?: ([^\n]+))?\n([^]*?)^```$/gm),
  ([, language = '', place = '', code = '']) => ({ language, place, code }),
);

/** Every block begins in the folder of the project, so none may leave it for the next one. */
it('no command of the tutorial changes the folder of the reader', () => {
  expect(BLOCKS.filter(({ language, code }) => language === 'sh' && /^cd /m.test(code))).toEqual([]);
});

/** The port that the tutorial names. Another test may use it, so the test takes a free one. */
const PORT = '9470';

const folder = temporaryFolder();
afterAll(() => folder.remove());

/** Starts commands as a reader's terminal would, in a process group of their own, with this Node first on the path. */
function shell(commands: string): Run {
  const nodeFirst = `${path.dirname(process.execPath)}${path.delimiter}${process.env['PATH'] ?? ''}`;
  return launch('setsid', ['sh', '-ec', `cd "$0"\n${commands}`, folder.path], { PATH: nodeFirst });
}

/** The terminal sends the signal to every process of the group. */
const pressCtrlC = ({ child }: Run): void => void process.kill(-(child.pid ?? NaN), 'SIGINT');

async function freePort(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => void server.close(resolve));
  return String(port);
}

/** Words and numbers, whatever the width of the columns. */
const wordsOf = (text: string): string => text.split(/\s+/).join(' ').trim();

beforeAll(async () => {
  const packed = path.join(folder.path, 'packed');
  const exit = await launch(process.execPath, ['scripts/package.ts', packed]).exit;
  expect(exit, exit.stdout + exit.stderr).toMatchObject({ code: 0 });
  const [tarball] = readdirSync(packed).filter((file) => file.endsWith('.tgz')) as [string];
  renameSync(path.join(packed, tarball), path.join(folder.path, tarball));
}, patient(180_000));

it(
  'whoever follows docs/strategies/tutorial.md has a tested strategy that trades',
  async () => {
    const port = await freePort();
    let last: Exit | null = null;
    let terminal: Run | null = null;
    let asked = '';
    for (const { language, place, code } of BLOCKS) {
      const text = code.replaceAll(PORT, port);
      if (language === 'ts') {
        const file = path.join(folder.path, place);
        mkdirSync(path.dirname(file), { recursive: true });
        writeFileSync(file, text);
      } else if (language === 'text') {
        expect(wordsOf(last?.stdout ?? '')).toContain(wordsOf(text));
      } else if (place === 'first terminal') {
        terminal = shell(text);
        for (let seen = 0, orders = 0; orders < 3; orders++) {
          await terminal.until(/order live/, seen);
          seen = terminal.written();
        }
      } else {
        asked = text;
        last = await shell(text).exit;
        expect(last, `${text}\n${last.stdout}${last.stderr}`).toMatchObject({ code: 0 });
      }
    }
    // For a moment every selection may wait for a quote of the exchange.
    await expect
      .poll(async () => (await shell(asked).exit).stdout, { timeout: patient(60_000), interval: 500 })
      .toMatch(/fair \d\.\d\d/);
    if (terminal !== null) pressCtrlC(terminal);
    const exit = await terminal?.exit;
    expect(`${exit?.stdout}${exit?.stderr}`).toMatch(
      /"orders_open_at_exit":0.*"exchange_orders_open_at_exit":0/,
    );
    expect(BLOCKS.filter(({ language }) => language === 'ts').length).toBe(4);
  },
  patient(400_000),
);
