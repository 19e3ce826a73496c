/// The shapes of known tokens.
///
/// The table is based on the public rules of gitleaks (github.com/gitleaks/gitleaks, config/gitleaks.toml, 222 rules,
/// version 8.30.1, commit 009e025ad4106ab333aa0b9dc4f2a884390d134c; MIT License, Copyright (c) 2019 Zachary Rice), and
/// on the documentation of issuers. Its patterns are less strict, because a token may occur in a URL, in XML or before
/// a comma, and issuers change lengths.
///
/// The source of an entry follows its kind in brackets: the documentation of the issuer. The source of entries without
/// brackets is gitleaks. An entry is `kind [source]: pattern | pattern;` or `kind ~ words: pattern;`, where one of the
/// words and an assignment (`=`, `:`, `=>`, `,` …) must precede the value; `_` in the kind is replaced by that word. A
/// pattern consists of pieces: `'text'` (`~'text'` ignores case), `uuid`, and runs of sets in `SecretText`, such as
/// `word36`, `word30+` and `word5-30`; `{a,b}` is expanded to alternatives. `[` and `]` enclose the secret if it is a
/// part of the match. `*`: letters and digits may surround the match. `#`: the secret must contain a letter and a
/// digit. `>3`: its entropy must exceed three bits per byte. `^'x'`: `x` must occur shortly before it.
///
/// Random values under a secret's name (generic-api-key of gitleaks) are found by `SecretReader`, which reads names.
///
/// Some rules are omitted because gitleaks applies them only to certain files, and names identify these secrets in
/// every kind of body: hashicorp-tf-password (`.tf`), kubernetes-secret-yaml (`.yaml`: the values below `data` of a
/// kind `Secret`), and pkcs12-file, which matches file names. private-key is in `SecretKeyBlock`; the forty digits of
/// sourcegraph require its name.
enum SecretShapeTable {
  static let forms = """
    GitHub token: * '{ghp,gho,ghu,ghs,ghr}_' word30+ | * 'github_pat_' under22+;
    AWS access key: '{AKIA,ASIA,ABIA,ACCA}' upper16 | 'A3T' upper17 >3;
    Amazon Bedrock key: 'ABSK' slash100+ pad0-2 | * 'bedrock-api-key-' slash28+ pad0-2;
    Slack token: * ~'xox{a,b,c,d,e,o,p,r,s}-' dash8+ | * ~'xapp-' dash8+ | * ~'xoxe.xox{b,p}-' dash10+;
    Slack webhook: * 'hooks.slack.com/{services,workflows,triggers,commands,actions}/' slash40+;
    Slack webhook path [api.slack.com]: * '/services/T' word8-12 '/B' word8-12 '/' [ word24 ];
    IFTTT webhook [ifttt.com/maker_webhooks]: * '/with/key/' dash20+; Healthchecks address [healthchecks.io/docs]: * 'hc-ping.com/' uuid;
    Private calendar [support.google.com/calendar]: * '/private-' [ hex32 ] '/basic.ics'; Infura key [docs.infura.io]: * 'infura.io/v3/' hex32;
    Datadog key [docs.datadoghq.com]: * 'datadoghq.com/v1/input/' hex32; Alchemy key [docs.alchemy.com]: * '.alchemy.com/v2/' dash32;
    Zapier webhook [help.zapier.com]: * 'hooks.zapier.com/hooks/catch/' digit3-12 '/' word5+;
    Make webhook [make.com/help]: * 'hook.{eu1,eu2,us1,us2}.make.com/' word20+; Google API key: 'AIza' dash35+;
    Google token [developers.google.com/identity]: 'ya29.' dash20+ | 'GOCSPX-' dash20+ | '1//0' dash38+;
    Stripe key: '{sk,rk}_{test,live,prod}_' under10+ | 'whsec_' slash16+ pad0-2; npm token: ~'npm_' word36+;
    GitLab token: * 'gl{pat,dt,ffct,ft,rt,soat,imt,agent,oas,ptt,cbt,wt}-' dash20+ | * 'GR1348941' dash20+
    | * 'glcbt-' word1-5 '_' dash20+ | 'gl{pat,rt}-' dash27-300 '.' word9+ | * '_gitlab_session=' [ word32+ ];
    API key of a language model: 'sk-{ant,proj,svcacct,admin,or}-' dash20+ | 'sk-' word32+
    | 'sk-' word20 'T3BlbkFJ' word20+ | 'gsk_' word40+ | 'xai-' word60+ | 'pplx-' word40+ | 'r8_' word37+
    | '{hf,api_org}_' word30+ | 'nvapi-' dash40+;
    JWT: 'eyJ' dash7+ '.eyJ' dash7+ '.' dash0+ | 'ey' dash17+ '.ey' dash17+ '.' dash0+ pad0-2 >3
    | 'eyJ' dash16+ '.' dash0+ '.' dash10+ '.' dash10+ '.' dash10+ | 'ZXlK{aGJHY2lPaU,MGVYQWlPaU,cmFXUWlPaU,bGJtTWlPaU,amRIa2lPaU,aGRXUWlPaU,cGMzTWlPaU}' jwt10+ pad0-2;
    1Password key: 'A3-' upper6 '-' upper11 '-' upper5 '-' upper5 '-' upper5 | * 'ops_eyJ' slash200+ pad0-3
    | 'A3-' upper6 '-' upper6 '-' upper5 '-' upper5 '-' upper5 '-' upper5; Adobe secret: 'p8e-' word32;
    age key: * 'AGE-SECRET-KEY-1' upper58+; Airtable token: 'pat' word14 '.' hex64;
    Alibaba access key: 'LTAI' word20 | 'LTAI' word12 #; Artifactory token: 'AKCp' word69 >4 | 'cmVmd' word59 >4;
    Asana token: '{0,1,2}/1' digit15 ':' hex32; Atlassian token: 'AT{ATT3,CTT3,BB}' equal24+;
    Authress key: '{sc,ext,scauth,authress}_' word5-30 '.' word4-6 '.acc' dash11-33 '.' auth30+;
    Azure secret: tilde3 digit1 'Q~' tilde31-34 >3; Clickhouse key: '4b1d' word38 >3;
    Clojars token: * ~'CLOJARS_' word60+; Cloudflare key: 'v1.0-' hex24 '-' hex146; Contentful token: 'CFPAT-' dash40+;
    Databricks token: 'dapi' hex32 | 'dapi' hex32 '-' digit1; Defined Networking token: 'dnkey-' equal26 '-' equal52;
    DigitalOcean token: ~'do{o,p,r}_v1_' hex64;
    Discord webhook [discord.com/developers]: * 'discord{,app}.com/api/webhooks/' digit15-22 '/' dash60+;
    Discord webhook path [discord.com/developers]: * '/api/webhooks/' digit15-22 '/' [ dash60+ ];
    Docker token [docs.docker.com]: 'dckr_{pat,oat}_' dash27+; Doppler token: * 'dp.{pt,st,ct,sa,scim,audit}.' dot40+;
    Dropbox token: 'sl.' equal130+ | 'sl.u.' equal130+; Duffel token: * 'duffel_{test,live}_' equal43+;
    Dynatrace token: * 'dt0{c01,s01,s16}.' word24 '.' word64+; EasyPost key: 'EZ{A,T}K' word54;
    Facebook token: digit{15,16} '|' dash27-40 >3 | digit{15,16} '%' dash27-42 >3 | 'EAA' word60+ >4;
    Figma token [figma.com/developers]: 'fig{d,o}_' dash40+;
    Flutterwave key: * 'FLWSECK_TEST-' word12+ | * 'FLW{SECK,PUBK}{_TEST,}-' word32 '-X';
    Fly.io token: 'fo1_' dash43 | 'fm{1a,1r,2}_' slash100+ pad0-3; Frame.io token: * 'fio-u-' equal64+;
    GoCardless token: 'live_' equal40;
    Grafana token: ~'eyJrIjoi' slash70+ pad0-3 | ~'glc_' slash32+ pad0-3 | ~'glsa_' word32 '_' hex8;
    Harness key: * '{pat,sat}.' dash22 '.' word24 '.' word20+; Terraform token: * word14 '.atlasv1.' equal60+;
    Vault token: 'hv{b,r,s}.' dash24+ | 's.' word24 # >3.5; Heroku key: 'HRKU-{AA,}' dash36+;
    Infracost key: 'ico-' word32; Intra42 secret: 's-s4t2{ud,af}-' hex64; Linear token: * 'lin_{api,oauth}_' word40+;
    Lob key: '{live,test}_' hex35 | '{live,test}_pub_' hex31; Mailchimp key: hex32 '-us' digit1-2;
    Mailgun key: '{pub,}key-' hex32; Mapbox token [docs.mapbox.com]: '{pk,sk}.' word60 '.' word22 | '{pk,sk}.eyJ' dash40+ '.' dash20+;
    MaxMind key: word6 '_' word29 '_mmk' >4;
    Teams webhook: * 'webhook.office.com/webhookb2/' uuid '@' uuid '/IncomingWebhook/' word32 '/' uuid;
    Teams webhook path [learn.microsoft.com]: * '/webhookb2/' uuid '@' uuid '/IncomingWebhook/' [ word32 '/' uuid ];
    Netlify token [docs.netlify.com]: 'nfp_' word36+; New Relic key: 'NRAK-' word27 | 'NRJS-' hex19 | 'NRII-' dash32 | hex36 'NRAL';
    Notion token: 'ntn_' word40+ | 'secret_' word43; Octopus Deploy key: 'API-' upper26 >3;
    OpenShift token: 'sha256~' dash43; Plaid token: 'access-{sandbox,development,production}-' uuid;
    PlanetScale token: ~'pscale_{tkn,oauth,pw}_' dot32+; Postman key: 'PMAK-' hex24 '-' hex34;
    Prefect key: 'pn{u,b}_' word36; Pulumi token: 'pul-' hex40; PyPI token: * 'pypi-AgE' dash50+;
    ReadMe key: 'rdme_' word70; RubyGems key: 'rubygems_' hex48; Scalingo token: 'tk-us-' dash48;
    SendGrid key: 'SG.' dot66; Sendinblue key: 'xkeysib-' hex64 '-' word16 | 'xsmtpsib-' hex64 '-' word16;
    Sentry token: 'sntrys_' slash45+ pad0-2 '_' slash43+ | 'sntryu_' hex64;
    SettleMint token: 'sm_{aat,pat,sat}_' word16+; Shippo token: 'shippo_{live,test}_' hex40;
    Shopify token: * 'shp{at,ca,pa,ss,tka,ua}_' hex32+;
    Sidekiq password: * '://' [ hex8 ':' hex8 ] '@{gems,enterprise}.contribsys.com';
    Sourcegraph token: ~'sgp_' hex40 | ~'sgp_{local,}_' hex40 | ~'sgp_' hex16 '_' hex40;
    Sonar token: 'sq{a,p,u}_' equal40+; Square token: '{EAAA,sq0atp-,sq0csp-}' dash22-60;
    Supabase key [supabase.com/docs]: 'sbp_' hex40 | 'sb_secret_' dash20+; Tailscale key [tailscale.com/kb]: 'tskey-' dash20+;
    Telegram token: digit{8,9,10} ':AA' dash32-33 | 'bot' [ digit{8,9,10} ':AA' dash32-33 ];
    Password hash [passlib.readthedocs.io]: '$2{a,b,x,y}$' digit2 '$' crypt53 | '$argon2{i,d,id}$' crypt20+ | '${5,6,y}$' crypt20+
    | '${apr1,1}$' crypt20+; Extended private key [BIP 32]: '{xprv,yprv,zprv,tprv}' word107; Twilio key: * 'SK' hex32+ >3; Typeform token: 'tfp_' dot40+;
    Yandex token: 't1.' dash1+ pad0-2 '.' dash86 pad0-2 | 'AQVN' dash35-38;
    AWS session token [docs.aws.amazon.com]: '{IQoJb3JpZ2lu,FwoGZXIvYXdz,FQoGZXIvYXdz}' slash60+ pad0-2; Amazon MWS token [docs.aws.amazon.com]: 'amzn.mws.' uuid;
    Azure key [learn.microsoft.com]: slash76 '{+ASt,+ABa,ACDb}' slash6 '==' | word76 'AZDO' word4; Tencent key [cloud.tencent.com]: 'AKID' word32;
    Braintree token [developer.paypal.com/braintree]: 'access_token$production$' word16 '$' hex32; Razorpay key [razorpay.com/docs]: 'rzp_{live,test}_' word14+;
    Firebase key [firebase.google.com]: dash11 ':APA91b' dash130+; Instagram token [developers.facebook.com]: 'IGQ' dash100+; CircleCI token [circleci.com/docs]: 'CCIP{AT,RJ}_' under40+;
    Buildkite token [buildkite.com/docs]: 'bk{ua,aj}_' hex40; NuGet key [learn.microsoft.com/nuget]: 'oy2' word43; crates.io token [doc.rust-lang.org/cargo]: 'cio' word32;
    Render key [render.com/docs]: 'rnd_' word32; LangSmith key [docs.smith.langchain.com]: 'lsv2_{pt,sk}_' hex32 '_' hex10; Pinecone key [docs.pinecone.io]: 'pcsk_' under50+;
    Resend key [resend.com/docs]: 're_' word8 '_' word24; Discord token [discord.com/developers]: '{M,N,O}{D,T,j,z}' word22-26 '.' dash6 '.' dash27-40 >4;
    Vercel token [vercel.com/docs]: 'vc{a,i,k,p,r}_' dash50+; Neon key [neon.tech/docs]: 'napi_' word60+; Confluent key [docs.confluent.io]: 'cflt' slash56+;
    Okta token: 'SSWS ' [ '00' dash40 ]; NuGet password: ~'key="{cleartext,}password"' gap0-200 ~'value="' [ text8+ ];
    PostHog key [posthog.com/docs]: 'phx_' word40+; Tavily key [docs.tavily.com]: 'tvly-' dash28+; Fireworks key [docs.fireworks.ai]: 'fw_' word22+ #; Zuplo key [zuplo.com/docs]: 'zpka_' under40+;
    PASETO [paseto.io]: 'v{1,2,3,4}.{local,public}.' dash40+; LaunchDarkly key [launchdarkly.com/docs]: '{sdk,mob}-' uuid; Nostr key [NIP-19]: 'nsec1' word58;
    X bearer token [developer.x.com]: 'AAAAAAAAAAAAAAAAAAAAA' encoded80+; One-time password seeds [github.com/google/google-authenticator]: * '://offline?data=' [ encoded20+ ];
    Password hash of Django [docs.djangoproject.com]: 'pbkdf2_sha{256,1}$' digit3-8 '$' word6+ '$' slash20+ pad0-2;
    Macaroon [libmacaroons]: 'MDA' dash5 'Y2F0aW9u' dash60+;
    AppSync key [docs.aws.amazon.com]: 'da2-' word26; Adafruit key [io.adafruit.com/api]: 'aio_' word28; Aiven password [aiven.io/docs]: 'AVNS_' dash19+; Endor key [docs.endorlabs.com]: 'endr+' dash16;
    Azure Functions key [learn.microsoft.com]: dash44 'AzFu' dash6 '==' | dash50 'AzFu' dash5 '==';
    Wi-Fi password [github.com/zxing/zxing]: * ';P:' [ field8+ ] ^'WIFI:';
    Freemius key: ~'secret_key' gap1-200 '=>' gap1-200 [ 'sk_' text29 ];
    Password of a curl command: * '{-u,--user}{ ,=,\t}' gap0-4 [ user1-60 ':' text3-80 ] ^'curl' >2;
    """

  static let names = """
    AWS secret key ~ secret{_,-,+,}access{_,-,+,}key aws{_,-,+,}secret secret{_,-,+,}key: slash40 pad0-2;
    Azure storage key [learn.microsoft.com] ~ account{_,-,}key: slash86 '=='; Cohere key ~ co_api_key: word40 >4;
    Datadog key ~ dd_{api,app}_key: word40 | hex32; LinkedIn key ~ linked{_,-,}in: word14 # | word16 #;
    MessageBird key ~ message{_,-,}bird: word25 # | uuid; New Relic key ~ new{_,-,}relic: word64;
    New York Times key ~ nytimes new-york-times newyorktimes: equal32; PrivateAI key ~ private{_,-,}ai: word32 >3;
    Sidekiq secret ~ bundle_{enterprise,gems}__contribsys__com: hex8 ':' hex8; wandb key [docs.wandb.ai] ~ wandb: hex40;
    npm token ~ _authtoken: uuid; _ key ~ Heroku HubSpot KuCoin Sendbird Snyk Squarespace: uuid;
    _ key ~ Dropbox: word15 # | word11 'AAAAAAAAAA' equal43; _ key ~ Confluent: word16 #; _ key ~ Asana: digit16;
    _ key ~ Airtable: word17; _ key ~ Discord: digit18 | word24-28 '.' dash6 '.' dash27-40;
    _ key ~ Finicity Finnhub Looker: word20 #; _ key ~ Travis: word22 #; _ key ~ Etsy Looker Plaid: word24 # >3;
    _ key ~ KuCoin: hex24; _ key ~ Atlassian Confluence Jira: word24 >3.5; _ key ~ Mattermost: word26 #;
    _ key ~ Alibaba Plaid Twitch: word30 #; _ key ~ Adobe Datadog Finicity Linear Twilio: hex32;
    _ key ~ Facebook: hex32 >3; _ key ~ Algolia Asana Bitbucket Bittrex Codecov DroneCI Flickr: word32;
    _ key ~ Adafruit Discord Fastly: equal32; _ key ~ Cloudflare: hex37; _ key ~ Meraki Sendbird Sourcegraph: hex40 >3;
    _ key ~ Datadog Zendesk: word40; _ key ~ Cohere: word40 >4; _ key ~ Cloudflare Gitter LaunchDarkly Sonar: equal40;
    Sonar key ~ sonar{_,-,.,}{login,token}: equal40; _ key ~ Netlify: equal40-46; _ key ~ Okta: '00' equal40 >4;
    _ key ~ Contentful: equal43; _ key ~ Beamer: 'b_' equal44; _ key ~ Mailgun: word32 '-' word8 '-' word8;
    _ key ~ RapidAPI: dash50; _ key ~ Intercom: equal60; _ key ~ Discord Sentry: hex64;
    _ key ~ Confluent FreshBooks JFrog Artifactory Bintray Xray: word64; _ key ~ Bitbucket Coinbase: equal64;
    _ key ~ JFrog Artifactory Bintray Xray: word73; _ key ~ Kraken: auth80-90;
    _ key ~ Sumo: 'su' word12 # >3 | word64 >3; _ token ~ Telegr: digit5-16 ':A' dash34;
    _ key ~ Twitter: word45 | digit15-25 '-' word20-40 | word25 # | word50 | 'AAAAAAAAAAAAAAAAAAAAAA' encoded80+;
    _ key ~ Yandex: 'YC' dash38;
    """

  /// Substrings of values that are placeholders or references.
  static let placeholders = """
    abcdefghijklmnopqrstuvwxyz 014df517-39d1-4453-b7b3-9930c563627c example placeholder redacted xxxxxx your{_,-}
    :true :false :null :change :pass :pwd :test :token :** :xx :$ :< :[ :{
    """
}
