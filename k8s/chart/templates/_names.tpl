{{/*
Of all objects: at most 39 characters, so that the longest name of a Service, with -analysis-worker-metrics, has 63. One that is
longer ends with a hash instead, so that two of the same beginning differ.
*/}}
{{- define "outcomes.fullname" -}}
{{- $own := .Values.nameOverride | default "outcomes" -}}
{{- $whole := ternary .Release.Name (printf "%s-%s" .Release.Name $own) (contains $own .Release.Name) -}}
{{- $name := $whole | trunc 40 | trimSuffix "-" -}}
{{- if gt (len $name) 39 }}{{ printf "%s-%s" ($whole | trunc 30 | trimSuffix "-") (sha256sum $whole | trunc 8) }}{{ else }}{{ $name }}{{ end -}}
{{- end -}}

{{/* Labels that select the pods of one application: dict "root" $ "app" name. */}}
{{- define "outcomes.selector" -}}
app.kubernetes.io/name: outcomes
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .app }}
{{- end -}}

{{- define "outcomes.labels" -}}
{{ include "outcomes.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
app.kubernetes.io/part-of: outcomes
{{- end -}}

{{/* A tag can be moved, a digest cannot: where there is one it decides, and the tag is for readers. */}}
{{- define "outcomes.image" -}}
{{- $image := .root.Values.image -}}
{{ $image.registry }}/outcomes-{{ .app }}:{{ $image.tag | default .root.Chart.AppVersion }}
{{- with index $image.digests .app }}@{{ . }}{{ end -}}
{{- end -}}

{{/*
Names by which agents reach the MCP gateway, joined by commas: those of its Service, of its Ingress and of its route come
by themselves. The namespace is the pod's own, so that a kustomization may set another one.
*/}}
{{- define "outcomes.mcpHosts" -}}
{{- $service := printf "%s-mcp-gateway" (include "outcomes.fullname" .) -}}
{{- $inside := printf "%s.$(POD_NAMESPACE)" $service -}}
{{- $hosts := list $service $inside (printf "%s.svc" $inside) (printf "%s.svc.%s" $inside .Values.settings.clusterDomain) -}}
{{- with .Values.mcpGateway.ingress }}{{ if .enabled }}{{ $hosts = append $hosts .host }}{{ end }}{{ end -}}
{{- with .Values.mcpGateway.route }}{{ if .enabled }}{{ $hosts = concat $hosts .hosts }}{{ end }}{{ end -}}
{{- /* A pattern is nobody's name: behind one, publicHosts has the names. */ -}}
{{- $names := list -}}
{{- range $hosts }}{{ if not (contains "*" .) }}{{ $names = append $names . }}{{ end }}{{ end -}}
{{- concat $names .Values.mcpGateway.publicHosts | uniq | join "," -}}
{{- end -}}
