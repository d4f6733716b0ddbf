import type { Manifest } from './manifests.ts';

/** A promise about the rendered objects, and what breaks it. */
interface Rule {
  title: string;
  applies: (object: Manifest) => boolean;
  faults: (object: Manifest, all: Manifest[]) => string[];
}

const podOf = (object: Manifest) => (object.kind === 'Pod' ? object['spec'] : object['spec']?.template?.spec);
const labelsOf = (object: Manifest) =>
  (object.kind === 'Pod' ? object.metadata.labels : object['spec']?.template?.metadata?.labels) ?? {};
const hasPods = (object: Manifest) =>
  ['Deployment', 'Job', 'Pod', 'StatefulSet', 'CronJob'].includes(object.kind);
const containers = (pod: any): any[] => [...(pod.initContainers ?? []), ...pod.containers];
const selects = (selector: Record<string, string>, labels: Record<string, string>) =>
  Object.entries(selector ?? {}).every(([key, value]) => labels[key] === value);
const hookOf = (object: Manifest) => object.metadata.annotations?.['helm.sh/hook'];
const weightOf = (object: Manifest) => Number(object.metadata.annotations?.['helm.sh/hook-weight'] ?? 0);
/** @param object The long-running services, whose pods others call or queue work for. */
const isService = (object: Manifest) =>
  object.kind === 'Deployment' && podOf(object).containers.some((c: any) => c.readinessProbe);

/** @param command Of a pod that does nothing, so that somebody can run the command line in it. */
const isWaiting = (command: string[]) => command.join(' ').includes('setInterval');

const onPod =
  (check: (pod: any) => (string | false | undefined)[]): Rule['faults'] =>
  (object) =>
    check(podOf(object)).filter((fault) => typeof fault === 'string');
const onContainers = (check: (container: any) => (string | false | undefined)[]) =>
  onPod((pod) =>
    containers(pod).flatMap((container) =>
      check(container).map((fault) => fault && `container ${container.name}: ${fault}`),
    ),
  );

/** A variable or an argument that looks like a secret, or a URL with a password. */
const secretName =
  /(PASSWORD|SECRET|TOKEN|API_KEY|CREDENTIALS|DATABASE_URL|REPLICA_URL|REDIS_URL|REDIS_SENTINELS|SMTP_URL)$/;
const passwordInUrl = /:\/\/[^/\s:@]*:[^/\s@]+@/;

/** What is no address of the public Internet: private networks, those of providers, and metadata services. */
const privateRanges = ['10.0.0.0/8', '100.64.0.0/10', '169.254.0.0/16', '172.16.0.0/12', '192.168.0.0/16'];
const tls = [443, 8443];

/**
 * Webhooks go wherever a customer's server is: the worker alone may reach the public Internet, over TLS, and nothing private.
 * @param rule Of its egress.
 * @param block An address block of it.
 */
const isForWebhooks = (object: Manifest, rule: any, block: any) =>
  labelsOf(object)['app.kubernetes.io/component'] === 'analysis-worker' &&
  rule.ports?.every(({ port }: any) => tls.includes(port)) &&
  privateRanges.every((range) => block.except?.includes(range));

/** @param rule Of its egress. */
const reachesEverything = (object: Manifest, rule: any) =>
  (rule.to ?? []).some(
    ({ ipBlock }: any) =>
      ['0.0.0.0/0', '::/0'].includes(ipBlock?.cidr) && !isForWebhooks(object, rule, ipBlock),
  );

export const rules: Rule[] = [
  {
    title: 'pods meet the restricted profile of pod security',
    applies: hasPods,
    faults: onPod((pod) => [
      pod.securityContext?.runAsNonRoot !== true && 'runAsNonRoot is not true',
      pod.securityContext?.runAsUser === 0 && 'runs as user 0',
      pod.securityContext?.seccompProfile?.type !== 'RuntimeDefault' && 'no seccomp profile',
      (pod.hostNetwork || pod.hostPID || pod.hostIPC) && 'uses the namespaces of its host',
      (pod.volumes ?? []).some((volume: any) => volume.hostPath) && 'mounts a folder of its host',
      ...containers(pod).flatMap(({ name, securityContext: context = {}, ports = [] }) =>
        [
          context.allowPrivilegeEscalation !== false && 'may gain privileges',
          context.privileged && 'is privileged',
          context.capabilities?.drop?.includes('ALL') !== true && 'keeps capabilities',
          (context.capabilities?.add ?? []).length > 0 && 'adds capabilities',
          context.runAsNonRoot === false && 'may run as root',
          ports.some((port: any) => port.hostPort) && 'takes a port of its host',
        ].map((fault) => fault && `container ${name} ${fault}`),
      ),
    ]),
  },
  {
    title: 'containers write nothing to their image',
    applies: hasPods,
    faults: onContainers(({ securityContext }) => [
      securityContext?.readOnlyRootFilesystem !== true && 'its root file system is writable',
    ]),
  },
  {
    title: 'pods hold no token of the cluster',
    applies: hasPods,
    faults: onPod((pod) => [pod.automountServiceAccountToken !== false && 'mounts a service account token']),
  },
  {
    title: 'containers ask for what they need and cannot take all memory',
    applies: hasPods,
    faults: onContainers(({ resources }) => [
      !resources?.requests?.cpu && 'requests no CPU',
      !resources?.requests?.memory && 'requests no memory',
      !resources?.limits?.memory && 'has no limit of memory',
    ]),
  },
  {
    title: 'images are named with a tag that is not latest',
    applies: hasPods,
    faults: onContainers(({ image }) => [!/:(?!latest$)[\w.-]+$/.test(image) && `image ${image}`]),
  },
  {
    title: 'secrets come by reference',
    applies: () => true,
    faults: (object) => [
      ...(object.kind === 'Secret' ? ['is a Secret'] : []),
      ...(passwordInUrl.test(JSON.stringify(object)) ? ['holds a URL with a password'] : []),
      ...(hasPods(object) ? containers(podOf(object)) : []).flatMap((container: any) =>
        (container.env ?? [])
          .filter((variable: any) => secretName.test(variable.name) && !variable.valueFrom)
          .map((variable: any) => `variable ${variable.name} is a literal`),
      ),
    ],
  },
  {
    title: 'liveness touches nothing, readiness asks, and they differ',
    applies: isService,
    faults: onContainers(({ livenessProbe, readinessProbe, startupProbe }) => [
      livenessProbe?.httpGet?.path !== '/livez' && 'liveness is not /livez',
      readinessProbe?.httpGet?.path !== '/readyz' && 'readiness is not /readyz',
      !startupProbe && 'has no startup probe',
      livenessProbe?.httpGet?.port !== 'management' && 'is probed on a public port',
    ]),
  },
  {
    title: 'a stop leaves time to drain',
    applies: isService,
    faults: onPod((pod) => {
      const delay = pod.containers[0].env.find((v: any) => v.name === 'DRAIN_DELAY_MS')?.value ?? 0;
      return [
        pod.terminationGracePeriodSeconds * 1_000 < Number(delay) + 20_000 &&
          'is killed before it has drained',
        pod.containers[0].ports.some((p: any) => p.name === 'http') &&
          Number(delay) < 5_000 &&
          'stops before load balancers know',
      ];
    }),
  },
  {
    title: 'an upgrade takes no pod away before the next is ready',
    applies: isService,
    faults: (object) =>
      object['spec'].strategy?.rollingUpdate?.maxUnavailable === 0 ? [] : ['may have fewer pods than before'],
  },
  ...[
    { kind: 'PodDisruptionBudget', what: 'disruption budget' },
    { kind: 'HorizontalPodAutoscaler', what: 'autoscaler' },
  ].map(({ kind, what }): Rule => ({
    title: `every service has a ${what}`,
    applies: isService,
    faults: (object, all) =>
      all.some(
        (other) =>
          other.kind === kind &&
          (kind === 'PodDisruptionBudget'
            ? selects(other['spec'].selector.matchLabels, labelsOf(object))
            : other['spec'].scaleTargetRef.name === object.metadata.name),
      )
        ? []
        : [`has no ${what}`],
  })),
  {
    title: 'the command line has a folder to write to',
    applies: (object) =>
      hasPods(object) && podOf(object).containers.some(({ command = [] }: any) => isWaiting(command)),
    faults: onPod((pod) => {
      const { workingDir, volumeMounts = [] } = pod.containers[0];
      const mount = volumeMounts.find(({ mountPath }: any) => mountPath === workingDir);
      const volume = (pod.volumes ?? []).find(({ name }: any) => name === mount?.name);
      return [
        (!mount || mount.readOnly) && 'runs commands where they can write no file',
        mount && !volume?.emptyDir?.sizeLimit && 'may fill the disk of its node',
      ];
    }),
  },
  {
    title: 'names fit where Kubernetes takes 63 characters',
    applies: (object) => ['Service', 'Job'].includes(object.kind),
    faults: ({ metadata: { name } }) => (name.length > 63 ? [`has a name of ${name.length} characters`] : []),
  },
  {
    title: 'what operators of a cluster select by label has their labels',
    applies: (object) => object.kind === 'ConfigMap' && object.metadata.name.endsWith('-dashboard'),
    // Those that no pod has are the ones of monitoring.labels.
    faults: (object, all) => {
      const rule = all.find(({ kind }) => kind === 'PrometheusRule');
      return Object.entries(rule?.metadata.labels ?? {})
        .filter(([name, value]) => object.metadata.labels?.[name] !== value)
        .map(([name]) => `lacks the label ${name}`);
    },
  },
  {
    title: 'an autoscaler follows metrics of its own release',
    applies: (object) => object.kind === 'HorizontalPodAutoscaler',
    faults: (object) =>
      (object['spec'].metrics ?? [])
        .filter(({ external }: any) => external)
        .filter(
          ({ external }: any) =>
            // As the ServiceMonitors name the release.
            external.metric.selector?.matchLabels?.release !==
            object.metadata.labels?.['app.kubernetes.io/instance'],
        )
        .map(({ external }: any) => `follows ${external.metric.name} of every release`),
  },
];

/** Promises about the network, which an installation may leave to others. */
export const networkRules: Rule[] = [
  {
    title: 'what no policy names is denied',
    applies: hasPods,
    faults: (object, all) => {
      const denial = policiesOf(object, all).find(
        ({ spec }) => spec.policyTypes?.length === 2 && !spec.ingress && !spec.egress,
      );
      return denial ? [] : ['is under no policy that denies everything'];
    },
  },
  {
    title: 'pods of a hook are under policies of that hook, which come before them',
    applies: (object) => hasPods(object) && hookOf(object) !== undefined,
    faults: (object, all) => {
      const early = policiesOf(object, all).filter(
        (policy) => hookOf(policy) === hookOf(object) && weightOf(policy) < weightOf(object),
      );
      return early.length > 0 ? [] : ['runs before its policies are there, or under old ones'];
    },
  },
  {
    title: 'egress names its ports and its destinations',
    applies: hasPods,
    faults: (object, all) => {
      const egress = policiesOf(object, all).flatMap(({ spec }) => spec.egress ?? []);
      return [
        ...(egress.length === 0 ? ['may reach nothing'] : []),
        ...egress.flatMap((rule) => [
          ...(rule.ports?.length > 0 ? [] : ['may reach any port']),
          ...(rule.to?.length > 0 ? [] : ['may reach any address']),
          ...(reachesEverything(object, rule) ? ['may reach the whole internet'] : []),
        ]),
      ];
    },
  },
  {
    title: 'the management port is for named callers',
    applies: isService,
    faults: (object, all) => {
      const open = policiesOf(object, all)
        .flatMap(({ spec }) => spec.ingress ?? [])
        .filter((rule) => !rule.ports || rule.ports.some((port: any) => port.port === 'management'))
        .filter((rule) => !(rule.from?.length > 0));
      return open.length > 0 ? ['lets anybody read its management port'] : [];
    },
  },
];

function policiesOf(object: Manifest, all: Manifest[]): Manifest[] {
  return all.filter(
    (other) =>
      other.kind === 'NetworkPolicy' && selects(other['spec'].podSelector.matchLabels, labelsOf(object)),
  );
}

/** @param all Promises about the objects as a whole. */
function wholeFaults(all: Manifest[]) {
  const jobs = all.filter((object) => object.kind === 'Job');
  const migrates = jobs.some((job) => podOf(job).containers[0].args?.[0] === 'migrate');
  return [...(migrates ? [] : ['no Job migrates the database']), ...hostFaults(all)];
}

/** @param all Agents are refused under a name that the gateway does not know for its own. */
function hostFaults(all: Manifest[]) {
  const gateways = all.filter((object) => object.metadata.name.endsWith('-mcp-gateway'));
  const wanted = gateways.flatMap(({ kind, metadata, spec }) => {
    // The second is what NOTES.txt prints.
    if (kind === 'Service') return [metadata.name, `${metadata.name}.$(POD_NAMESPACE)`];
    if (kind === 'Ingress') return spec.rules.map((rule: any) => rule.host);
    return kind === 'HTTPRoute' ? spec.hostnames : [];
  });
  const deployment = gateways.find(({ kind }) => kind === 'Deployment');
  const known = deployment
    ? podOf(deployment)
        .containers[0].env.find((variable: any) => variable.name === 'MCP_PUBLIC_HOSTS')
        ?.value.split(',')
    : wanted;
  return wanted
    .filter((host) => !host.includes('*') && !known?.includes(host))
    .map((host) => `the MCP gateway refuses agents that know it as ${host}`);
}

/** @returns One line per broken promise; empty where all hold. */
export function check(objects: Manifest[], which: Rule[] = [...rules, ...networkRules]): string[] {
  const faults = objects.flatMap((object) =>
    which
      .filter((rule) => rule.applies(object))
      .flatMap((rule) =>
        rule
          .faults(object, objects)
          .map((fault) => `${object.kind} ${object.metadata.name}: ${fault} (${rule.title})`),
      ),
  );
  return [...faults, ...wholeFaults(objects)];
}
