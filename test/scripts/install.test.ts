import { afterEach, describe, expect, it, vi } from 'vitest';
import { Checks } from '../../scripts/install/checks.ts';
import { Cleanup } from '../../scripts/install/cleanup.ts';
import { parseDockerRun } from '../../scripts/install/docker-run.ts';
import { shellBlocks } from '../../scripts/install/guide.ts';
import { IMAGE_TOOLS, obstacle, SYSTEMD_TOOLS } from '../../scripts/install/host.ts';
import { baseImageOf } from '../../scripts/install/image.ts';
import { read } from '../tidy/project.ts';

const block = (body: string, mark = ''): string => `${mark}\`\`\`sh\n${body}\n\`\`\`\n`;

describe('the shell blocks of a guide', () => {
  it('gives the commands of each block by its mark', () => {
    const page = `# A page\n\n${block('one\ntwo', '<!-- tried: first -->\n\n')}\ntext\n\n${block('three', '<!-- tried: second -->\n')}`;
    expect([...shellBlocks(page)]).toEqual([
      ['first', ['one', 'two']],
      ['second', ['three']],
    ]);
  });

  it.each([
    ['a comment at the end of a line', 'run it    # as root', ['run it']],
    ['a line that is a comment', '# first\nrun it', ['run it']],
    ['a hash inside a word', 'run it#2', ['run it#2']],
    ['a command on several lines', 'run \\\n  --all \\\n  it', ['run --all it']],
    ['an empty line', 'one\n\ntwo', ['one', 'two']],
  ])('understands %s', (_, body, commands) => {
    expect(shellBlocks(block(body, '<!-- tried: it -->\n\n')).get('it')).toEqual(commands);
  });

  it.each([
    ['no mark', block('forgotten'), /no mark .*:\nforgotten/s],
    ['a mark that another has', block('one', '<!-- tried: a -->\n').repeat(2), /two shell blocks .* name a/],
  ])('refuses a block with %s', (_, page, message) => {
    expect(() => shellBlocks(page)).toThrow(message);
  });

  it('finds exactly the blocks that the command tries in the deployment guide', () => {
    const blocks = shellBlocks(read('docs/reference/deployment.md'));
    expect([...blocks.keys()]).toEqual(['package', 'systemd', 'upgrade', 'rollback', 'docker']);
    expect(blocks.get('docker')).toHaveLength(3);
  });
});

describe('a docker run line', () => {
  it('says what the container is given', () => {
    const line =
      'docker run --rm --read-only --tmpfs /tmp --stop-timeout 60 -v ./a:/b:ro -v data:/c -e KEY image run --all';
    expect(parseDockerRun(line)).toEqual({
      image: 'image',
      args: ['run', '--all'],
      isReadOnly: true,
      tmpfs: ['/tmp'],
      environment: ['KEY'],
      volumes: [
        { source: './a', target: '/b', isReadOnly: true },
        { source: 'data', target: '/c', isReadOnly: false },
      ],
    });
  });

  it.each([
    ['docker build .', /is no docker run/],
    ['docker run --privileged image', /option --privileged is not understood/],
    ['docker run -v', /-v has no value/],
    ['docker run --rm', /docker run has no value/],
    ['docker run -v data image', /volume data is not understood/],
    ['docker run -v a:/b:rshared image', /volume a:\/b:rshared is not understood/],
  ])('is refused if it is `%s`', (line, message) => {
    expect(() => parseDockerRun(line)).toThrow(message);
  });
});

describe('the base image of a Dockerfile', () => {
  it('is the one image that its stages begin with', () => {
    const digest = `sha256:${'0f'.repeat(32)}`;
    expect(baseImageOf(`ARG BASE=node:1@${digest}\nFROM $BASE AS a\nRUN x\nFROM $BASE\n`)).toBe('node:1');
    expect(baseImageOf(read('Dockerfile'))).toBe(`node:${process.versions.node}-bookworm-slim`);
  });

  it.each([
    ['', /begins with no image/],
    ['ARG BASE=node:1\nFROM $BASE\nFROM node:2\n', /begins with \$BASE and node:2/],
    ['ARG BASE=node:1\nFROM $BASE\n', /does not name BASE with its digest/],
  ])('is unknown in a Dockerfile like %j', (dockerfile, message) => {
    expect(() => baseImageOf(dockerfile)).toThrow(message);
  });
});

describe.runIf(process.platform === 'linux')('what a machine lacks', () => {
  const tools = { ...SYSTEMD_TOOLS, ...IMAGE_TOOLS };

  it('is nothing if root has every program', () => {
    expect(obstacle(tools, 0, () => true)).toBeNull();
  });

  it('is root', () => {
    expect(obstacle(tools, 1000, () => true)).toMatch(/need root/);
  });

  it('is named with the packages to install, each once', () => {
    const has = (program: string): boolean => !['buildah', 'nsenter', 'unshare'].includes(program);
    expect(obstacle(tools, 0, has)).toBe(
      'not installed: nsenter, unshare, buildah. On Debian: apt-get install buildah util-linux',
    );
  });
});

describe('the report', () => {
  afterEach(() => void vi.restoreAllMocks());

  it('ends a part at the first failure of a check that the rest needs', async () => {
    const lines: string[] = [];
    vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line));
    const checks = new Checks(() => false);
    await checks.part('a part', async () => {
      await checks.check('one', async () => 'detail');
      await checks.check('two', () => Promise.reject(new Error('broken')));
      await checks.need('three', () => Promise.reject(new Error('broken, too')));
      await checks.check('four', async () => undefined);
    });
    expect(checks.failed).toBe(2);
    expect(checks.summary).toBe('1 checks passed, 2 failed');
    const report = lines.join('\n').replaceAll(/ +\d+\.\d s/g, ' TIME');
    expect(report).toContain('ok TIME  one: detail\nFAIL TIME  two\n       broken\n');
    expect(report).toContain('not tried, because this failed: three');
    expect(report).not.toContain('four');
  });

  it('lets other errors through', async () => {
    vi.spyOn(console, 'log').mockImplementation(() => undefined);
    const failure = new Error('a mistake of the script');
    await expect(new Checks(() => false).part('a part', () => Promise.reject(failure))).rejects.toBe(failure);
  });
});

describe('the cleanup', () => {
  afterEach(() => void vi.restoreAllMocks());

  it('undoes the latest first, each once, and goes on after a failure', async () => {
    const complaints = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const undone: string[] = [];
    const cleanup = new Cleanup();
    cleanup.defer(() => void undone.push('first'));
    cleanup.defer(() => Promise.reject(new Error('stuck')));
    cleanup.defer(() => void undone.push('last'));
    await Promise.all([cleanup.run(), cleanup.run()]);
    await cleanup.run();
    expect(undone).toEqual(['last', 'first']);
    expect(complaints.mock.calls).toEqual([['cleaning up: stuck']]);
  });
});
