import { describe, expect, it } from 'vitest';
import { read } from './project.ts';

type Versions = Readonly<Record<string, string>>;

interface Manifest {
  readonly scripts: Versions;
  readonly dependencies: Versions;
  readonly devDependencies: Versions;
  readonly optionalDependencies: Versions;
  readonly bin: Versions;
}

const manifest = JSON.parse(read('package.json')) as Manifest;

/** An exact version, or an alias of one (`npm:name@1.2.3`). */
const EXACT = /^(npm:(@[\w.-]+\/)?[\w.-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/;

describe('package.json', () => {
  it('pins every dependency exactly', () => {
    const { dependencies, devDependencies, optionalDependencies } = manifest;
    const all = Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies });
    expect(all.length).toBeGreaterThan(20);
    expect(all.filter(([, version]) => !EXACT.test(version))).toEqual([]);
  });

  it.each(['^1.2.3', '~1.2.3', '1.x', '>=1.2.3', 'latest', '*', 'npm:typescript@^7', 'github:a/b'])(
    'does not treat %s as exact',
    (version) => {
      expect(version).not.toMatch(EXACT);
    },
  );

  it('starts every script with exec, so that signals reach the process', () => {
    const indirect = Object.entries(manifest.scripts).filter(
      ([, script]) => !/^exec (node |bin\/touchline )/.test(script),
    );
    expect(indirect).toEqual([]);
  });

  it('agrees with the lock file', () => {
    const lock = JSON.parse(read('package-lock.json')) as { packages: Record<string, Partial<Manifest>> };
    const root = lock.packages[''];
    expect(root?.dependencies).toEqual(manifest.dependencies);
    expect(root?.devDependencies).toEqual(manifest.devDependencies);
    expect(root?.optionalDependencies).toEqual(manifest.optionalDependencies);
  });

  it('names a command that exists', () => {
    expect(read(manifest.bin['touchline'] ?? '')).toMatch(/^#!/);
  });
});
