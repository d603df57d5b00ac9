import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Run, touchline } from './process.ts';

export interface ExchangeProcess {
  readonly run: Run;
  readonly rest: string;
  readonly stream: string;
  readonly control: string;
  readonly keys: readonly string[];
}

/** Starts `touchline sim` as its own process and waits until it serves. */
export async function launchExchange(args: readonly string[] = []): Promise<ExchangeProcess> {
  const key = args.includes('--accounts') ? [] : ['--key', 'test-key'];
  const run = touchline(['sim', ...key, ...args]);
  const ready = /^\{.*\}$/m.exec(await run.until(/^\{.*\}$/m))?.[0] ?? '';
  return { run, ...(JSON.parse(ready) as Omit<ExchangeProcess, 'run'>) };
}

/** A folder that is removed after the test, and a way to write files there. */
export function temporaryFolder(): {
  path: string;
  file(name: string, content: string): string;
  remove(): void;
} {
  const path = mkdtempSync(join(tmpdir(), 'touchline-test-'));
  const file = (name: string, content: string): string => {
    writeFileSync(join(path, name), content);
    return join(path, name);
  };
  return { path, file, remove: () => rmSync(path, { recursive: true }) };
}

/** Settings that point the daemon at an exchange. */
export const exchangeSettings = (restUrl: string, streamUrl: string): string =>
  `[exchange]\nrestUrl = "${restUrl}"\nstreamUrl = "${streamUrl}"\n[ops]\nport = 0\n[admin]\nport = 0\n`;
