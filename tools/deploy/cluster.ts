// The section of verify:deploy that asks a real API server.
import { Failure } from '../local/failure.mjs';
import { withApiServer } from './api-server.ts';
import { renderChart } from './chart.ts';
import { applyStrictly, defineForeignKinds, makeNamespace, makePriorityClass } from './strict-apply.ts';

export type Promised = (title: string, check: () => string | void | Promise<string | void>) => Promise<void>;

/** What must be refused or warned of: how a Deployment is broken, and a word of the answer. */
const mutations: [string, string, (pod: any) => void][] = [
  ['a misspelt field', 'readynessProbe', (pod) => (pod.containers[0].readynessProbe = {})],
  [
    'a variable that is there twice',
    'duplicate',
    (pod) => pod.containers[0].env.push(pod.containers[0].env[0]),
  ],
  ['a privileged container', 'privileged', (pod) => (pod.containers[0].securityContext.privileged = true)],
  ['a pod that may be root', 'runAsNonRoot', (pod) => delete pod.securityContext.runAsNonRoot],
];

/** @param cases Files with values; undefined for the chart's own. */
export async function verifyOnApiServer(promise: Promised, helm: string, cases: (string | undefined)[]) {
  const title = 'a real API server takes every object strictly, and every pod under the restricted profile';
  await promise(title, () =>
    withApiServer(async (ask) => {
      await defineForeignKinds(ask);
      await makePriorityClass(ask, 'business');
      let objects = 0;
      for (const [index, file] of cases.entries()) {
        const rendered = renderChart(helm, file);
        await makeNamespace(ask, `case-${index}`);
        const faults = await applyStrictly(ask, `case-${index}`, rendered);
        if (faults.length > 0)
          throw new Failure(`${file ?? "the chart's own values"}:\n${faults.join('\n')}`);
        objects += rendered.length;
      }
      await makeNamespace(ask, 'mutations');
      for (const [what, word, breakIt] of mutations) {
        const broken = structuredClone(renderChart(helm).find(({ kind }) => kind === 'Deployment'));
        if (!broken) throw new Failure('no Deployment');
        breakIt(broken['spec'].template.spec);
        const faults = await applyStrictly(ask, 'mutations', [broken]);
        if (!faults.some((fault) => fault.includes(word)))
          throw new Failure(`mutation: ${what} is taken: ${faults.join('; ')}`);
      }
      return `${objects} objects of ${cases.length} sets of values without a warning; ${mutations.length} mutations found`;
    }),
  );
}
