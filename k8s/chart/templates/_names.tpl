{{- define "outcomes.fullname" -}}
{{- if contains "outcomes" .Release.Name -}}{{ .Release.Name | trunc 40 | trimSuffix "-" }}
{{- else -}}{{ printf "%s-outcomes" .Release.Name | trunc 40 | trimSuffix "-" }}{{- end -}}
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

{{- define "outcomes.image" -}}
{{ .root.Values.image.registry }}/outcomes-{{ .app }}:{{ .root.Values.image.tag | default .root.Chart.AppVersion }}
{{- end -}}
