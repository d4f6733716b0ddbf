// Alerts and the dashboard may only ask for metrics that a service has, and every alert has its page.
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { parse } from 'yaml';
import { root } from '../local/settings.mjs';

const rules = parse(readFileSync(join(root, 'k8s/chart/files/alerts.yaml'), 'utf8')).groups.flatMap(
  (group: { rules: unknown[] }) => group.rules,
);
const dashboard = JSON.parse(readFileSync(join(root, 'k8s/chart/files/dashboard.json'), 'utf8'));
const sources = globSync('{apps,libs}/*/src/**/*.ts', { cwd: root })
  .filter((file) => !file.endsWith('spec.ts'))
  .map((file) => readFileSync(join(root, file), 'utf8'))
  .join('\n');

/** Those that prom-client and Prometheus bring. */
const given = /^(process_|nodejs_|up$)/;
const metricsIn = (expression: string) =>
  [...expression.matchAll(/\b((?:outcomes|http|mcp|process|nodejs)_[a-z0-9_]+)\b/g)].map(([, name]) =>
    String(name),
  );
const exists = (metric: string) =>
  given.test(metric) || sources.includes(`'${metric.replace(/_(bucket|sum|count)$/, '')}'`);

const pages = globSync('k8s/{README.md,runbooks/*.md}', { cwd: root })
  .sort()
  .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }));

/** Commands that do less than the page promises, and greps that find nothing at some log levels, unless it says so. */
function misleadingCommands(text: string): string[] {
  const commands = [...text.matchAll(/\bkubectl [^\n`]*/g)].map(([command]) => command);
  const scaled = commands.filter((command) => / scale /.test(command));
  const stops = scaled.some((command) => /--replicas[ =]0\b/.test(command));
  return [
    // Ten lines of each pod, whatever --since says.
    ...commands.filter(
      (command) => / logs .*(--selector|-l)\b/.test(command) && !/--tail[ =]-1\b/.test(command),
    ),
    // The autoscaler takes it back, unless there are no pods.
    ...(stops ? [] : scaled),
    ...commands.filter((command) => command.includes('"status"') && !text.includes('settings.logLevel')),
  ];
}

/** Commands that work on whatever namespace somebody has chosen before. A name alone, such as `helm upgrade`, is none. */
function withoutNamespace(file: string, text: string): string[] {
  const code = file.includes('runbooks') ? text : (text.match(/```bash[^]*?```/g) ?? []).join('\n');
  return [...code.matchAll(/\b(?:kubectl|helm) [^\n`]*/g)]
    .map(([command]) => command.trim())
    .filter((command) => command.split(' ').length > 2 && !/^kubectl create namespace /.test(command))
    .filter((command) => !/ --namespace /.test(command));
}

describe('observability', () => {
  it('names the namespace in every command', () => {
    assert.deepEqual(
      pages.flatMap(({ file, text }) => withoutNamespace(file, text).map((command) => `${file}: ${command}`)),
      [],
    );
    for (const command of ['kubectl get hpa', 'helm rollback RELEASE'])
      assert.deepEqual(withoutNamespace('runbooks/A.md', `run \`${command}\`.`), [command]);
  });

  it('asks for no metric that no service has', () => {
    const expressions = [
      ...rules.map(({ expr }: { expr: string }) => expr),
      ...dashboard.panels.flatMap(({ targets }: { targets: { expr: string }[] }) =>
        targets.map(({ expr }) => expr),
      ),
    ];
    const asked = [...new Set(expressions.flatMap(metricsIn))];
    assert.ok(asked.length > 15);
    assert.deepEqual(
      asked.filter((metric) => !exists(metric)),
      [],
    );
    assert.equal(exists('outcomes_no_such_metric_total'), false);
  });

  it('asks for nothing of another release', () => {
    const own = 'namespace="outcomes",release="outcomes"';
    for (const { alert, expr } of rules) {
      const asked = metricsIn(expr).length + [...expr.matchAll(/\bup\{/g)].length;
      assert.equal(expr.split(own).length - 1, asked, alert);
    }
    const open = dashboard.panels.flatMap(({ targets }: { targets: { expr: string }[] }) =>
      targets.filter(
        ({ expr }) =>
          expr.split('{namespace="$namespace",release="$release"').length - 1 !== metricsIn(expr).length,
      ),
    );
    assert.deepEqual(open, []);
  });

  it('has a page for every alert, and no page without one', () => {
    const alerts = rules.map(({ alert }: { alert: string }) => alert).sort();
    const pages = globSync('k8s/runbooks/*.md', { cwd: root })
      .map((file) => file.replace(/^.*\/|\.md$/g, ''))
      .sort();
    assert.deepEqual(pages, alerts);
    for (const { alert, annotations } of rules) {
      assert.equal(annotations.runbook_url, `runbooks/${alert}.md`);
      assert.ok(existsSync(join(root, 'k8s', annotations.runbook_url)));
    }
  });

  it('tells nobody to run what does not do as the page says', () => {
    assert.ok(pages.length > 15);
    assert.deepEqual(
      pages.flatMap(({ file, text }) => misleadingCommands(text).map((command) => `${file}: ${command}`)),
      [],
    );
    for (const command of [
      'kubectl --namespace N logs --selector a=b --since 10m | grep x',
      'kubectl logs -l a=b --tail=10',
      'kubectl --namespace N scale deploy/outcomes-APP --replicas N',
      `kubectl logs POD | grep '"status":50'`,
    ])
      assert.deepEqual(misleadingCommands(command), [command]);
    assert.deepEqual(misleadingCommands('kubectl scale deploy/x --replicas 0'), []);
  });
});
