import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

describe('bin/outcomes.js', () => {
  let project: string;
  beforeEach(() => {
    project = mkdtempSync(join(tmpdir(), 'outcomes-program-'));
    mkdirSync(join(project, 'apps/outcomes-cli/bin'), { recursive: true });
    copyFileSync(join(__dirname, '../bin/outcomes.js'), join(project, 'apps/outcomes-cli/bin/outcomes.js'));
  });
  afterEach(() => rmSync(project, { recursive: true }));

  const build = () => {
    mkdirSync(join(project, 'apps/outcomes-cli/bundle'));
    writeFileSync(join(project, 'apps/outcomes-cli/bundle/main.js'), `console.log('ran');`);
  };
  const run = () =>
    spawnSync(process.execPath, [join(project, 'apps/outcomes-cli/bin/outcomes.js')], {
      ...{ encoding: 'utf8', timeout: 20_000, env: {} },
    });
  const filesBelow = (folder: string) =>
    readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).length;

  it('says what to do where it is not built', () => {
    expect(run()).toMatchObject({
      status: 1,
      stderr: 'outcomes: the program is not built yet. Run "npm start" or "npm run build" first.\n',
    });
  });

  it('keeps what was compiled of it where npm start does', () => {
    build();
    const kept = join(project, '.local/compile-cache');
    mkdirSync(kept, { recursive: true });
    expect(run()).toMatchObject({ status: 0, stdout: 'ran\n' });
    expect(filesBelow(kept)).toBe(1);
  });

  it('keeps nothing elsewhere', () => {
    build();
    const before = filesBelow(project);
    expect(run()).toMatchObject({ status: 0, stdout: 'ran\n' });
    expect(filesBelow(project)).toBe(before);
  });
});
