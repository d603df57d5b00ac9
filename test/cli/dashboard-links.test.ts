import process from 'node:process';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { adminServing } from '../support/admin-serving.ts';
import { commanded } from '../support/run-command.ts';

describe('touchline dashboard', () => {
  let stderr: string;
  beforeEach(() => {
    stderr = '';
    vi.spyOn(process.stderr, 'write').mockImplementation((chunk) => {
      stderr += String(chunk);
      return true;
    });
  });
  afterEach(() => vi.restoreAllMocks());

  it('refuses a link for longer than thirty days in words, before it asks a daemon', async () => {
    expect(await commanded('dashboard', '--share', '--ttl', '800h')).toEqual([2, '']);
    expect(stderr).toContain('--ttl is 30 days (720h) at most');
  });

  it('says how long a link can work', async () => {
    const [, help] = await commanded('dashboard', '--help');
    expect(help.replaceAll(/\s+/g, ' ')).toContain('how long a shared link works: 30 days (720h) at most');
  });

  it('says that it opens no browser where there is no display, and prints the link', async () => {
    for (const name of ['DISPLAY', 'WAYLAND_DISPLAY', 'BROWSER']) vi.stubEnv(name, '');
    vi.spyOn(process, 'platform', 'get').mockReturnValue('linux');
    const daemon = await adminServing({});
    try {
      const [code, link] = await commanded('dashboard', '--open', '--url', daemon.url);
      expect([code, link]).toEqual([0, expect.stringContaining('#code=')]);
    } finally {
      await daemon.close();
      vi.unstubAllEnvs();
    }
    expect(stderr).toContain('touchline: no browser can be opened, because there is no display: open');
  });

  it('makes the longest link, and gives a refusal in the daemon’s words', async () => {
    const daemon = await adminServing({});
    const share = ['dashboard', '--share', '--ttl', '720h', '--url', daemon.url];
    try {
      expect(await commanded(...share)).toEqual([0, expect.stringContaining('#code=')]);
      expect(await commanded(...share, '--note', 'x'.repeat(101))).toEqual([1, '']);
    } finally {
      await daemon.close();
    }
    expect(stderr).toContain('touchline: the daemon refused: note must have at most 100 characters\n');
  });
});
