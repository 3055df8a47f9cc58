{{/* The name of everything: the release, and the chart unless the release already says it. */}}
{{- define "carillon.fullname" -}}
{{- if contains .Chart.Name .Release.Name -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "carillon.image" -}}
{{- if .Values.image.digest -}}
{{- printf "%s@%s" .Values.image.repository .Values.image.digest -}}
{{- else -}}
{{- printf "%s:%s" .Values.image.repository (.Values.image.tag | default .Chart.AppVersion) -}}
{{- end -}}
{{- end -}}

{{/* Labels that never change: selectors use them. Takes root and component. */}}
{{- define "carillon.selector" -}}
app.kubernetes.io/name: {{ .root.Chart.Name }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
{{- if .component }}
app.kubernetes.io/component: {{ .component }}
{{- end }}
{{- end -}}

{{- define "carillon.labels" -}}
{{ include "carillon.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" }}
{{- end -}}

{{/* Name and labels of an object. Takes root, component and, if it differs from the component, name. */}}
{{- define "carillon.metadata" -}}
name: {{ include "carillon.fullname" .root }}-{{ .name | default .component }}
labels:
  {{- include "carillon.labels" . | nindent 2 }}
{{- end -}}

{{/* The Secret of the chart, if it needs one: the values that no existing Secret holds. */}}
{{- define "carillon.secretData" -}}
{{- if not .Values.database.existingSecret }}
DATABASE_URL: {{ required "set database.url or database.existingSecret" .Values.database.url | quote }}
{{- end }}
{{- if not .Values.secretKey.existingSecret }}
SECRET_KEY: {{ required "set secretKey.value or secretKey.existingSecret" .Values.secretKey.value | quote }}
{{- if .Values.secretKey.previous }}
SECRET_KEY_PREVIOUS: {{ .Values.secretKey.previous | quote }}
{{- end }}
{{- end }}
{{- if .Values.cell.url }}
{{- if not .Values.cell.secret.existingSecret }}
CELL_SECRET: {{ required "set cell.secret.value or cell.secret.existingSecret" .Values.cell.secret.value | quote }}
{{- end }}
{{- if not .Values.cell.directory.existingSecret }}
DIRECTORY_URL: {{ required "set cell.directory.url or cell.directory.existingSecret" .Values.cell.directory.url | quote }}
{{- end }}
{{- end }}
{{- end -}}

{{/* Settings of every container. Takes root and secret, the name of the chart's own Secret. */}}
{{- define "carillon.env" -}}
{{- $values := .root.Values -}}
- name: DATABASE_URL
  valueFrom:
    secretKeyRef:
      {{- if $values.database.existingSecret }}
      name: {{ $values.database.existingSecret }}
      key: {{ $values.database.existingSecretKey }}
      {{- else }}
      name: {{ .secret }}
      key: DATABASE_URL
      {{- end }}
- name: SECRET_KEY
  valueFrom:
    secretKeyRef:
      {{- if $values.secretKey.existingSecret }}
      name: {{ $values.secretKey.existingSecret }}
      key: {{ $values.secretKey.existingSecretKey }}
      {{- else }}
      name: {{ .secret }}
      key: SECRET_KEY
      {{- end }}
- name: SECRET_KEY_PREVIOUS
  valueFrom:
    secretKeyRef:
      name: {{ $values.secretKey.existingSecret | default .secret }}
      key: SECRET_KEY_PREVIOUS
      optional: true
{{- if $values.cell.url }}
- name: CELL
  value: {{ $values.cell.number | quote }}
- name: CELL_URL
  value: {{ $values.cell.url | quote }}
- name: CELL_SECRET
  valueFrom:
    secretKeyRef:
      {{- if $values.cell.secret.existingSecret }}
      name: {{ $values.cell.secret.existingSecret }}
      key: {{ $values.cell.secret.existingSecretKey }}
      {{- else }}
      name: {{ .secret }}
      key: CELL_SECRET
      {{- end }}
- name: DIRECTORY_URL
  valueFrom:
    secretKeyRef:
      {{- if $values.cell.directory.existingSecret }}
      name: {{ $values.cell.directory.existingSecret }}
      key: {{ $values.cell.directory.existingSecretKey }}
      {{- else }}
      name: {{ .secret }}
      key: DIRECTORY_URL
      {{- end }}
{{- end }}
{{- range $name, $value := $values.config }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- end -}}

{{/* What every pod has in common: no root, no token, no capabilities. */}}
{{- define "carillon.pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false
{{- if .Values.serviceAccountName }}
serviceAccountName: {{ .Values.serviceAccountName }}
{{- end }}
{{- if .Values.image.pullSecrets }}
imagePullSecrets:
  {{- toYaml .Values.image.pullSecrets | nindent 2 }}
{{- end }}
securityContext:
  runAsNonRoot: true
  {{- if .Values.runAsUser }}
  runAsUser: {{ .Values.runAsUser }}
  {{- end }}
  {{- if .Values.runAsGroup }}
  runAsGroup: {{ .Values.runAsGroup }}
  {{- end }}
  seccompProfile:
    type: RuntimeDefault
{{- end -}}

{{- define "carillon.container" -}}
image: {{ include "carillon.image" . | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
{{- end -}}
