import type { faults as en } from '../../en/shared/faults.ts';

export const faults: typeof en = {
  offline: {
    title: 'Von der Kamera kommen keine Bilder',
    advice: 'Prüfen Sie Strom und Netz. Bleibt es dabei, starten Sie die Kamera neu.',
  },
  failed: { title: 'Das Zählen ist nicht möglich', advice: 'Sagen Sie es Ihrem Betreiber.' },
  old: {
    title: 'Es kommen keine neuen Zahlen',
    advice:
      'Vielleicht beginnt das Zählen gerade neu. Sagen Sie es Ihrem Betreiber, wenn es länger als einige Minuten so bleibt.',
  },
  unknown: { title: 'Beim Zählen gibt es ein Problem', advice: 'Sagen Sie es Ihrem Betreiber.' },
  host_unknown: {
    title: 'Die Adresse der Kamera ist im Netz nicht bekannt',
    advice: 'Prüfen Sie den Namen in der Kameraadresse oder nehmen Sie die IP-Adresse der Kamera.',
  },
  unreachable: {
    title: 'Es gibt keinen Weg zur Kamera',
    advice: 'Prüfen Sie, ob die Kamera Strom hat und ob ihr Netzwerkkabel oder WLAN funktioniert.',
  },
  connection_refused: {
    title: 'Die Kamera lehnt die Verbindung ab',
    advice: 'Prüfen Sie den Port in der Kameraadresse und ob das Streaming in der Kamera eingeschaltet ist.',
  },
  timeout: {
    title: 'Die Kamera antwortet nicht',
    advice: 'Prüfen Sie Strom und Netz. Bleibt es dabei, starten Sie die Kamera neu.',
  },
  wrong_credentials: {
    title: 'Die Kamera verlangt einen anderen Benutzer oder ein anderes Passwort',
    advice: 'Berichtigen Sie beides in der Kameraadresse.',
  },
  access_denied: {
    title: 'Dieser Benutzer darf den Stream nicht sehen',
    advice: 'Geben Sie ihm in der Kamera das Recht dazu oder nehmen Sie einen anderen Benutzer.',
  },
  no_such_stream: {
    title: 'Diesen Stream hat die Kamera nicht',
    advice: 'Prüfen Sie den Pfad in der Kameraadresse; das Handbuch der Kamera nennt ihn.',
  },
  no_video: {
    title: 'Der Stream hat kein Bild',
    advice: 'Wählen Sie in der Kameraadresse den Videostream.',
  },
  not_a_camera: {
    title: 'Dort antwortet etwas anderes als eine Kamera',
    advice: 'Prüfen Sie die Kameraadresse: Vielleicht führt sie zur Webseite der Kamera.',
  },
  address_not_allowed: {
    title: 'Der Dienst darf sich nicht mit dieser Adresse verbinden',
    advice: 'Bitten Sie Ihren Betreiber, die Adresse der Kamera oder ihr Netz zu erlauben.',
  },
  old_ffmpeg: {
    title: 'Der Dienst kann das Video der Kamera nicht lesen',
    advice: 'Sagen Sie Ihrem Betreiber, dass seine Videosoftware zu alt ist.',
  },
  tls_failed: {
    title: 'Keine sichere Verbindung zur Kamera möglich',
    advice: 'Prüfen Sie das Zertifikat der Kamera oder nehmen Sie rtsp statt rtsps.',
  },
  server_error: { title: 'Die Kamera meldet einen eigenen Fehler', advice: 'Starten Sie die Kamera neu.' },
  too_many_viewers: {
    title: 'Zu viele schauen schon bei dieser Kamera zu',
    advice:
      'Schließen Sie andere Player und Rekorder dieser Kamera, oder erlauben Sie in ihren Einstellungen mehr davon.',
  },
  broken_off: {
    title: 'Die Verbindung zur Kamera reißt ab',
    advice: 'Prüfen Sie das Netz. Auch zu viele Zuschauer einer Kamera können der Grund sein.',
  },
  unreadable: {
    title: 'Das Video der Kamera ist nicht lesbar',
    advice: 'Versuchen Sie H.264 in den Einstellungen der Kamera.',
  },
  no_frames: {
    title: 'Die Kamera ist verbunden, sendet aber kein Bild',
    advice: 'Warten Sie eine Minute; starten Sie die Kamera dann neu.',
  },
  damaged_video: {
    title: 'Das Video kommt beschädigt an',
    advice: 'Prüfen Sie das Netz zur Kamera oder senken Sie ihre Bitrate.',
  },
  blank_picture: {
    title: 'Das Bild ist leer',
    advice: 'Prüfen Sie, ob etwas das Objektiv verdeckt und ob Licht da ist.',
  },
  node_silent: {
    title: 'Der Rechner, der hier zählt, antwortet nicht',
    advice: 'Ein anderer übernimmt von selbst. Dauert es länger als eine Minute, sagen Sie es dem Betreiber.',
  },
  unchanging_picture: {
    title: 'Das Bild ändert sich nicht',
    advice:
      'Vielleicht ist es eingefroren, dann stimmen die Zahlen nicht. Sind Menschen da, starten Sie die Kamera neu.',
  },
  view_changed: {
    title: 'Die Kamera blickt woandershin als zuvor',
    advice: 'Drehen Sie sie zurück oder zeichnen Sie die Zonen neu.',
  },
  picture_turned: {
    title: 'Menschen sind nur im gedrehten Bild zu sehen',
    advice:
      'Stellen Sie in den Einstellungen der Kamera ein, wie ihr Bild gedreht wird, und zeichnen Sie dann die Zonen neu.',
  },
  overloaded: {
    title: 'Der Rechner, der zählt, ist im Moment überlastet',
    advice: 'Kurze Besuche können fehlen. Sagen Sie es Ihrem Betreiber, wenn es so bleibt.',
  },
  slow_camera: {
    title: 'Die Kamera sendet zu wenige Bilder',
    advice: 'Erhöhen Sie ihre Bildrate oder prüfen Sie das Netz.',
  },
  analysis_stream_differs: {
    title: 'Der zweite Stream der Kamera hat ein anderes Seitenverhältnis als der erste',
    advice: 'Solange wird der erste benutzt. Stellen Sie in der Kamera beide gleich ein.',
  },
  analysis_stream_offline: {
    title: 'Der zweite Stream der Kamera sendet keine Bilder',
    advice: 'Solange wird der erste benutzt. Prüfen Sie den zweiten Stream in der Kamera.',
  },
  people_beside_zone: {
    title: 'Oft stehen Menschen knapp außerhalb einer Zone und werden nicht gezählt',
    advice: 'Ihre Beine sind verdeckt. Öffnen Sie die Zonen der Kamera und sehen Sie sich den Vorschlag an.',
  },
};
