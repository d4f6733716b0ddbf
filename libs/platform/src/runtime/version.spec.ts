import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { VERSION } from './version';

describe('VERSION', () => {
  it('is that of the package and of the chart', () => {
    const root = join(__dirname, '../../../..');
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    const [, appVersion] =
      /^appVersion: (.+)$/m.exec(readFileSync(join(root, 'k8s/chart/Chart.yaml'), 'utf8')) ?? [];
    expect([version, appVersion]).toEqual([VERSION, VERSION]);
  });
});
