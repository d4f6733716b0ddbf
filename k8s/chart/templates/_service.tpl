{{/*
Objects that every service has alike. Arguments: dict "root" $ "app" name "settings" its values
"port" its public port (0: it takes no requests) "managementPort" "variables" further variables.
*/}}
{{- define "outcomes.deployment" -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "outcomes.fullname" .root }}-{{ .app }}
  labels: {{- include "outcomes.labels" . | nindent 4 }}
spec:
  # How many pods run is the autoscaler's to say.
  revisionHistoryLimit: 3
  selector:
    matchLabels: {{- include "outcomes.selector" . | nindent 6 }}
  strategy:
    type: RollingUpdate
    rollingUpdate: { maxUnavailable: 0, maxSurge: 1 }
  template:
    metadata:
      {{- include "outcomes.podMetadata" . | nindent 6 }}
    spec:
      {{- include "outcomes.podSpec" . | nindent 6 }}
      # Readiness fails first, then requests under way get ten seconds.
      terminationGracePeriodSeconds: 45
      {{- $options := include "outcomes.podOptions" . | fromYaml }}
      topologySpreadConstraints:
        {{- with $options.topologySpreadConstraints }}
        {{- toYaml . | nindent 8 }}
        {{- else }}
        - maxSkew: 1
          topologyKey: kubernetes.io/hostname
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels: {{- include "outcomes.selector" . | nindent 14 }}
        {{- end }}
      containers:
        - name: {{ .app }}
          image: {{ include "outcomes.image" . }}
          imagePullPolicy: {{ .root.Values.image.pullPolicy }}
          {{- include "outcomes.containerSpec" . | nindent 10 }}
          env:
            {{- include "outcomes.serviceVariables" . | nindent 12 }}
            {{- with .variables }}
            {{- . | nindent 12 }}
            {{- end }}
            - { name: MANAGEMENT_PORT, value: {{ .managementPort | quote }} }
            {{- if .port }}
            - { name: PORT, value: {{ .port | quote }} }
            - { name: DRAIN_DELAY_MS, value: '10000' }
            {{- end }}
            {{- with include "outcomes.extraVariables" . }}
            {{- . | nindent 12 }}
            {{- end }}
          ports:
            {{- if .port }}
            - { name: http, containerPort: {{ .port }} }
            {{- end }}
            - { name: management, containerPort: {{ .managementPort }} }
          startupProbe:
            httpGet: { path: /livez, port: management }
            periodSeconds: 1
            failureThreshold: 60
          # Touches neither Postgres nor Redis: a pod is not restarted for what a restart cannot mend.
          livenessProbe:
            httpGet: { path: /livez, port: management }
            periodSeconds: 10
            timeoutSeconds: 3
            failureThreshold: 3
          readinessProbe:
            httpGet: { path: /readyz, port: management }
            periodSeconds: 2
            timeoutSeconds: 3
            failureThreshold: 2
          resources: {{- toYaml .settings.resources | nindent 12 }}
{{- end -}}

{{- define "outcomes.service" -}}
apiVersion: v1
kind: Service
metadata:
  name: {{ include "outcomes.fullname" .root }}-{{ .app }}
  labels: {{- include "outcomes.labels" . | nindent 4 }}
  {{- with .settings.service.annotations }}
  annotations: {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  type: {{ .settings.service.type }}
  selector: {{- include "outcomes.selector" . | nindent 4 }}
  ports:
    - { name: http, port: 80, targetPort: http }
{{- end -}}

{{- define "outcomes.metricsService" -}}
apiVersion: v1
kind: Service
metadata:
  name: {{ include "outcomes.fullname" .root }}-{{ .app }}-metrics
  labels:
    {{- include "outcomes.labels" . | nindent 4 }}
    outcomes/metrics: 'true'
spec:
  clusterIP: None
  # Pods that are starting or draining are of interest, too.
  publishNotReadyAddresses: true
  selector: {{- include "outcomes.selector" . | nindent 4 }}
  ports:
    - { name: management, port: {{ .managementPort }}, targetPort: management }
{{- end -}}

{{- define "outcomes.serviceMonitor" -}}
apiVersion: monitoring.coreos.com/v1
kind: ServiceMonitor
metadata:
  name: {{ include "outcomes.fullname" .root }}-{{ .app }}
  labels:
    {{- include "outcomes.labels" . | nindent 4 }}
    {{- with .root.Values.monitoring.labels }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
spec:
  selector:
    matchLabels:
      {{- include "outcomes.selector" . | nindent 6 }}
      outcomes/metrics: 'true'
  endpoints:
    - port: management
      path: /metrics
      interval: 15s
      scrapeTimeout: 5s
      # By these, alerts and the dashboard tell releases and services apart.
      relabelings:
        - { sourceLabels: [__meta_kubernetes_service_label_app_kubernetes_io_instance], targetLabel: release }
        - { sourceLabels: [__meta_kubernetes_service_label_app_kubernetes_io_component], targetLabel: component }
{{- end -}}

{{- define "outcomes.disruptionBudget" -}}
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ include "outcomes.fullname" .root }}-{{ .app }}
  labels: {{- include "outcomes.labels" . | nindent 4 }}
spec:
  maxUnavailable: 1
  selector:
    matchLabels: {{- include "outcomes.selector" . | nindent 6 }}
{{- end -}}

{{- define "outcomes.autoscaler" -}}
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: {{ include "outcomes.fullname" .root }}-{{ .app }}
  labels: {{- include "outcomes.labels" . | nindent 4 }}
spec:
  scaleTargetRef:
    apiVersion: apps/v1
    kind: Deployment
    name: {{ include "outcomes.fullname" .root }}-{{ .app }}
  minReplicas: {{ .settings.replicas.min }}
  maxReplicas: {{ .settings.replicas.max }}
  metrics:
    - type: Resource
      resource:
        name: cpu
        target: { type: Utilization, averageUtilization: {{ .settings.targetCpuPercent }} }
    {{- if .settings.targetBatchesPending }}
    - type: External
      external:
        # By the label that the ServiceMonitors put on what they scrape: the backlog of another release is not ours.
        metric: { name: outcomes_batches_pending, selector: { matchLabels: { release: {{ .root.Release.Name | quote }} } } }
        target: { type: AverageValue, averageValue: {{ .settings.targetBatchesPending | quote }} }
    {{- end }}
{{- end -}}

{{- define "outcomes.ingress" -}}
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: {{ include "outcomes.fullname" .root }}-{{ .app }}
  labels: {{- include "outcomes.labels" . | nindent 4 }}
  {{- with .settings.ingress.annotations }}
  annotations: {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  {{- with .settings.ingress.className }}
  ingressClassName: {{ . }}
  {{- end }}
  {{- with .settings.ingress.tlsSecret }}
  tls:
    - secretName: {{ . }}
      hosts: [{{ $.settings.ingress.host | quote }}]
  {{- end }}
  rules:
    - host: {{ .settings.ingress.host | quote }}
      http:
        paths:
          - path: /
            pathType: Prefix
            backend:
              service:
                name: {{ include "outcomes.fullname" .root }}-{{ .app }}
                port: { name: http }
{{- end -}}

{{/* A route of the Gateway API. */}}
{{- define "outcomes.route" -}}
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata:
  name: {{ include "outcomes.fullname" .root }}-{{ .app }}
  labels: {{- include "outcomes.labels" . | nindent 4 }}
  {{- with .settings.route.annotations }}
  annotations: {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  parentRefs: {{- toYaml .settings.route.parents | nindent 4 }}
  hostnames: {{- toYaml .settings.route.hosts | nindent 4 }}
  rules:
    - matches:
        - path: { type: PathPrefix, value: / }
      backendRefs:
        - { name: {{ include "outcomes.fullname" .root }}-{{ .app }}, port: 80 }
{{- end -}}

{{/*
What one application may be reached from and may reach, over the release's denial of everything. With "hook", for pods that Helm
runs at a hook: it comes before them and says what the new values say, where the release's own objects are still the old.
*/}}
{{- define "outcomes.networkPolicy" -}}
{{- $policy := .root.Values.networkPolicy -}}
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: {{ include "outcomes.fullname" .root }}-{{ .app }}
  labels: {{- include "outcomes.labels" . | nindent 4 }}
  {{- with .hook }}
  annotations:
    helm.sh/hook: {{ . }}
    helm.sh/hook-weight: '-10'
    helm.sh/hook-delete-policy: before-hook-creation,hook-succeeded
  {{- end }}
spec:
  podSelector:
    matchLabels: {{- include "outcomes.selector" . | nindent 6 }}
  policyTypes: [Ingress, Egress]
  {{- if or .port .managementPort }}
  ingress:
    {{- if .port }}
    - ports: [{ port: http, protocol: TCP }]
      {{- with $policy.publicFrom }}
      from:
        - podSelector: { matchLabels: { app.kubernetes.io/instance: {{ $.root.Release.Name }} } }
        {{- toYaml . | nindent 8 }}
      {{- end }}
    {{- end }}
    {{- with $policy.metricsFrom }}
    - ports: [{ port: management, protocol: TCP }]
      from: {{- toYaml . | nindent 8 }}
    {{- end }}
  {{- end }}
  egress:
    - ports: [{ port: {{ $policy.dns.port }}, protocol: UDP }, { port: {{ $policy.dns.port }}, protocol: TCP }]
      to: {{- toYaml $policy.dns.to | nindent 8 }}
    - ports: [{ port: {{ $policy.postgres.port }}, protocol: TCP }]
      to: {{- toYaml $policy.postgres.to | nindent 8 }}
    {{- /* Migrations, the command line and its tests: what a pooler cannot be asked. */}}
    {{- if and $policy.postgresDirect.to (not .managementPort) }}
    - ports: [{ port: {{ $policy.postgresDirect.port }}, protocol: TCP }]
      to: {{- toYaml $policy.postgresDirect.to | nindent 8 }}
    {{- end }}
    {{- if not .postgresOnly }}
    - ports:
        - { port: {{ $policy.redis.port }}, protocol: TCP }
        {{- if .root.Values.redis.sentinels }}
        - { port: {{ $policy.sentinelPort }}, protocol: TCP }
        {{- end }}
      to: {{- toYaml $policy.redis.to | nindent 8 }}
    {{- end }}
    {{- if and .root.Values.tracing.endpoint .managementPort }}
    - ports: [{ port: {{ .root.Values.tracing.port }}, protocol: TCP }]
      to: {{- toYaml .root.Values.tracing.to | nindent 8 }}
    {{- end }}
    {{- with .egress }}
    {{- . | nindent 4 }}
    {{- end }}
    {{- with $policy.extraEgress }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
{{- end -}}
