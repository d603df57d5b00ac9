import { existsSync } from 'node:fs';
import path from 'node:path';
import { type Browser, chromium } from 'playwright-core';

/** Debian's Chromium, or the program that CHROMIUM names. Null if there is none. */
export function chromiumProgram(): string | null {
  const named = process.env['CHROMIUM'];
  if (named !== undefined) return named;
  const folders = (process.env['PATH'] ?? '').split(path.delimiter);
  const programs = folders.flatMap((folder) => [
    path.join(folder, 'chromium'),
    path.join(folder, 'chromium-browser'),
    path.join(folder, 'google-chrome'),
  ]);
  return programs.find((program) => existsSync(program)) ?? null;
}

/** Starts Chromium without its sandbox, which root may not use; pages are our own. Rejects if there is none. */
export async function launchChromium(): Promise<Browser> {
  const executablePath = chromiumProgram();
  if (executablePath === null) throw new Error('chromium is not installed: apt-get install chromium');
  return chromium.launch({ executablePath, args: ['--no-sandbox'] });
}
