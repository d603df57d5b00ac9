/** Files and folders of the clone that the package holds as they are, from the root. Links in its documents lead only here. */
export const PACKAGED: readonly string[] = [
  'LICENSE',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'bin',
  'config',
  'docs',
  'observability',
  'systemd',
];

/** The first page of the package, where a clone has its own: other commands work there. */
export const FIRST_PAGE = { clone: 'PACKAGE.md', packaged: 'README.md' } as const;

/** The tests of the alert rules need a clone, and nobody looks at scenes in a package. */
const LEFT_OUT = /\.test\.yml$|docs\/images\/dashboard\//;

/** Whether the package holds this file of the packaged folders. */
export const isPackaged = (file: string): boolean => !LEFT_OUT.test(file);
